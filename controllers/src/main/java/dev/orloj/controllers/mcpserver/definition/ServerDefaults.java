package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.secret.OperatorSecrets;
import dev.orloj.runtime.listing.ListingLimits;
import dev.orloj.runtime.oauth.Login;
import dev.orloj.runtime.workload.ProcessUsers;

import java.time.Duration;
import java.util.function.Function;

/**
 * The defaults for every server.
 *
 * @param startupTimeout how long a server may take to answer {@code initialize}
 * @param shutdownGrace how long a process may take to end, before and after SIGTERM
 * @param containers what containers may do
 * @param toolLists the upper limits for the tool lists that manifests may set
 * @param secrets values for Secrets that do not exist
 * @param users the accounts of processes of this host
 * @param logins returns where the login that a Secret holds is kept
 */
public record ServerDefaults(
        Duration startupTimeout,
        Duration shutdownGrace,
        ContainerPolicy containers,
        ListingLimits.Ceilings toolLists,
        OperatorSecrets secrets,
        ProcessUsers users,
        Function<ResourceKey, Login.Store> logins) {

    /** Creates defaults with the usual limits for tool lists and without secrets. */
    public ServerDefaults(
            Duration startupTimeout, Duration shutdownGrace, ContainerPolicy containers) {
        this(
                startupTimeout,
                shutdownGrace,
                containers,
                ListingLimits.Ceilings.DEFAULT,
                OperatorSecrets.NONE,
                ProcessUsers.NONE);
    }

    /** Creates defaults for servers without logins of users. */
    public ServerDefaults(
            Duration startupTimeout,
            Duration shutdownGrace,
            ContainerPolicy containers,
            ListingLimits.Ceilings toolLists,
            OperatorSecrets secrets,
            ProcessUsers users) {
        this(
                startupTimeout,
                shutdownGrace,
                containers,
                toolLists,
                secrets,
                users,
                key -> {
                    throw new IllegalArgumentException("no login of a user can be read: " + key);
                });
    }

    public ListingLimits listing(McpServerSpec spec) {
        McpServer.ToolLimits given = spec.offer().toolLimits();
        return given == null
                ? toolLists.limits(null, null, null)
                : toolLists.limits(given.maxTools(), given.maxBytes(), given.maxPages());
    }
}
