package dev.orloj.server.token;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.core.ServiceAccount;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Gives each namespace its ServiceAccount {@code default}, also one that was deleted, and those of
 * an earlier version.
 */
public final class DefaultAccounts implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DefaultAccounts.class);
    private static final long PERIOD_MILLIS = 500;
    private static final Set<ErrorReason> SETTLED =
            Set.of(
                    ErrorReason.ALREADY_EXISTS, // another replica was first
                    ErrorReason.NOT_FOUND,
                    ErrorReason.FORBIDDEN); // the namespace is being deleted

    private final ResourceClient client;
    private final ServiceAccounts accounts;
    private final ScheduledExecutorService rounds =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("orloj-accounts").factory());
    private long done = -1;

    public DefaultAccounts(ResourceClient client, ServiceAccounts accounts) {
        this.client = client;
        this.accounts = accounts;
    }

    /** Follows the namespaces, which have been read. */
    public void start() {
        rounds.scheduleWithFixedDelay(this::round, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void round() {
        long changes = accounts.changes();
        if (changes == done) {
            return;
        }
        try {
            for (Namespace namespace : accounts.namespaces()) {
                if (namespace.metadata().deletionTimestamp() == null) {
                    ensure(namespace.metadata().name());
                }
            }
            done = changes;
        } catch (RuntimeException e) { // would end all later rounds
            log.atDebug().setCause(e).log("Accounts of namespaces could not be created");
        }
    }

    private void ensure(String namespace) {
        if (accounts.isKnown(new ResourceKey(namespace, ServiceAccount.DEFAULT))) {
            return;
        }
        try {
            client.create(
                    ServiceAccount.KIND, ServiceAccount.of(namespace, ServiceAccount.DEFAULT));
        } catch (ApiException e) {
            if (!SETTLED.contains(e.reason())) {
                throw e;
            }
        }
    }

    @Override
    public void close() {
        rounds.shutdownNow();
    }
}
