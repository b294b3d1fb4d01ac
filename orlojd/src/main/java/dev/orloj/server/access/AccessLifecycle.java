package dev.orloj.server.access;

import dev.orloj.api.client.ResourceClient;
import dev.orloj.server.authorization.AggregatedRules;
import dev.orloj.server.authorization.DefaultRoles;
import dev.orloj.server.authorization.RbacAuthorizer;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/** Reads roles and bindings before the ports open. */
final class AccessLifecycle implements SmartLifecycle {

    private final ResourceClient client;
    private final RbacAuthorizer authorizer;
    private final AggregatedRules aggregated;
    private volatile boolean running;

    AccessLifecycle(ResourceClient client, RbacAuthorizer authorizer, AggregatedRules aggregated) {
        this.client = client;
        this.authorizer = authorizer;
        this.aggregated = aggregated;
    }

    @Override
    public void start() {
        DefaultRoles.ensure(client);
        try {
            authorizer.start();
            aggregated.start();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the roles were read", e);
        }
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        aggregated.close();
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
