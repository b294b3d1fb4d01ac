package dev.orloj.server.access;

import dev.orloj.api.client.ResourceClient;
import dev.orloj.server.authorization.AggregatedRules;
import dev.orloj.server.authorization.DefaultRoles;
import dev.orloj.server.authorization.RbacAuthorizer;
import dev.orloj.server.token.DefaultAccounts;
import dev.orloj.server.token.ServiceAccounts;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/** Reads roles, bindings and accounts before the ports open. */
final class AccessLifecycle implements SmartLifecycle {

    private final ResourceClient client;
    private final RbacAuthorizer authorizer;
    private final AggregatedRules aggregated;
    private final ServiceAccounts accounts;
    private final DefaultAccounts defaults;
    private volatile boolean running;

    AccessLifecycle(
            ResourceClient client,
            RbacAuthorizer authorizer,
            AggregatedRules aggregated,
            ServiceAccounts accounts,
            DefaultAccounts defaults) {
        this.client = client;
        this.authorizer = authorizer;
        this.aggregated = aggregated;
        this.accounts = accounts;
        this.defaults = defaults;
    }

    @Override
    public void start() {
        DefaultRoles.ensure(client);
        try {
            authorizer.start();
            aggregated.start();
            accounts.start();
            defaults.start();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while roles and accounts were read", e);
        }
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        aggregated.close();
        defaults.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1;
    }
}
