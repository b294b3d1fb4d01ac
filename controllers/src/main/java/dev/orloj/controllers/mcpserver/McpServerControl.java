package dev.orloj.controllers.mcpserver;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.ToolApprovals;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.container.ContainerJournal;
import dev.orloj.controllers.container.ContainerStatus;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.informer.Informers;
import dev.orloj.controllers.login.LoginRevocations;
import dev.orloj.controllers.login.LoginTarget;
import dev.orloj.controllers.login.UserLogins.Logout;
import dev.orloj.controllers.mcpserver.definition.ServerDefaults;
import dev.orloj.controllers.mcpserver.tools.ToolListings;
import dev.orloj.controllers.review.ServerReviews;
import dev.orloj.controllers.sandbox.SandboxResolution;
import dev.orloj.controllers.secret.SecretLookup;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.session.SessionManager;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/** Assembles the controller of McpServers. */
public final class McpServerControl {

    private final McpServerCaches caches;

    /**
     * @param informers not started yet
     */
    public McpServerControl(Informers informers, ServerDefaults defaults) {
        this.caches = new McpServerCaches(informers, defaults);
    }

    /** Returns the Secrets as servers get them. */
    public SecretLookup secrets() {
        return caches.secrets();
    }

    /** Resolves a Sandbox with the Secrets in the cache. */
    public SandboxResolution resolve(Sandbox sandbox) {
        return caches.resolve(sandbox);
    }

    /**
     * Returns where users log in for a server.
     *
     * @throws ApiException when they cannot
     */
    public LoginTarget loginTarget(McpServer server) {
        return caches.loginTarget(server);
    }

    /**
     * Returns the reviews of servers.
     *
     * @param images returns whether an image is on this host
     * @param ready returns whether the caches have synced
     */
    public ServerReviews reviews(
            SessionManager sessions,
            Predicate<String> images,
            BooleanSupplier ready,
            InstantSource clock) {
        return caches.reviews(sessions, images, ready, clock);
    }

    /** Makes the catalog and the open sessions follow the informers from the time they start. */
    public void feed(ToolCatalog catalog, SessionManager sessions) {
        CatalogFeed.install(caches, catalog, sessions);
    }

    /**
     * Creates the reconciler and adds every event that requires a reconcile to the queue.
     *
     * @param journal to which the sessions report
     * @param containers to which the engine reports
     * @param resyncPeriod the longest time between two listings of the tools while a session is
     *     open
     * @param revoke revokes the tokens of the login at a server that is deleted, and blocks
     *     meanwhile
     * @param approvals what is known of definitions apart from the Tools
     * @param replica the id of this orlojd
     */
    public Reconciler reconciler(
            ResourceClient client,
            SessionManager sessions,
            SessionJournal journal,
            ContainerJournal containers,
            Workqueue<ResourceKey> queue,
            Function<McpServer, Logout> revoke,
            ToolApprovals approvals,
            InstantSource clock,
            Duration resyncPeriod,
            String replica) {
        McpServerTriggers.install(caches, queue, journal);
        containers.onChange(queue::add);
        sessions.scaling().onChange(queue::add);
        return new McpServerReconciler(
                client,
                caches,
                sessions,
                journal,
                new ContainerStatus(containers, clock),
                new ToolListings(clock, resyncPeriod, caches::listingLimits, queue::add),
                new LoginRevocations(revoke, queue::add, clock),
                approvals,
                clock,
                replica);
    }
}
