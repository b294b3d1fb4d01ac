package dev.orloj.controllers;

import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.secret.OperatorSecrets;
import dev.orloj.runtime.listing.ListingLimits;
import dev.orloj.runtime.workload.ProcessUsers;

import java.time.Duration;

/**
 * @param workers the number of servers to reconcile concurrently; no reconcile waits for a server
 * @param resyncPeriod the longest time between two listings of tools while a session is open
 * @param startupTimeout how long a server may take to answer {@code initialize}, unless its
 *     manifest sets a time
 * @param shutdownGrace how long a process may take to end, before and after SIGTERM, unless the
 *     manifest of its server sets a time
 * @param eventTtl how long an event is kept after it last happened
 * @param containers what containers may do
 * @param toolLists the upper limits for the tool lists that manifests may set
 * @param secrets values for Secrets that do not exist
 * @param users the accounts of processes of this host
 */
public record ControlSettings(
        int workers,
        Duration resyncPeriod,
        Duration startupTimeout,
        Duration shutdownGrace,
        Duration eventTtl,
        ContainerPolicy containers,
        ListingLimits.Ceilings toolLists,
        OperatorSecrets secrets,
        ProcessUsers users) {

    public static final ControlSettings DEFAULT =
            new ControlSettings(
                    16,
                    Duration.ofMinutes(5),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(2),
                    Duration.ofHours(1),
                    ContainerPolicy.DEFAULT);

    /** Creates settings with the usual limits for tool lists and without secrets. */
    public ControlSettings(
            int workers,
            Duration resyncPeriod,
            Duration startupTimeout,
            Duration shutdownGrace,
            Duration eventTtl,
            ContainerPolicy containers) {
        this(
                workers,
                resyncPeriod,
                startupTimeout,
                shutdownGrace,
                eventTtl,
                containers,
                ListingLimits.Ceilings.DEFAULT,
                OperatorSecrets.NONE,
                ProcessUsers.NONE);
    }

    public ControlSettings {
        if (workers < 1) {
            throw new IllegalArgumentException("workers " + workers + " is less than 1");
        }
        if (!eventTtl.isPositive()) {
            throw new IllegalArgumentException("eventTtl " + eventTtl + " is not positive");
        }
        if (!resyncPeriod.isPositive()) {
            throw new IllegalArgumentException("resyncPeriod " + resyncPeriod + " is not positive");
        }
    }
}
