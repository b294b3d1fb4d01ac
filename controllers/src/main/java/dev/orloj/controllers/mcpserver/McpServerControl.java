package dev.orloj.controllers.mcpserver;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.container.ContainerJournal;
import dev.orloj.controllers.container.ContainerStatus;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.mcpserver.definition.ServerDefaults;
import dev.orloj.controllers.mcpserver.tools.ToolListings;
import dev.orloj.controllers.sandbox.SandboxResolution;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.session.SessionManager;

import java.time.Duration;
import java.time.InstantSource;

/** Assembles the controller of McpServers. */
public final class McpServerControl {

    private final McpServerCaches caches;

    /**
     * @param servers not started yet, as the other informers
     */
    public McpServerControl(
            Informer<McpServer> servers,
            Informer<Tool> tools,
            Informer<Secret> secrets,
            Informer<ConfigMap> configMaps,
            Informer<Sandbox> sandboxes,
            ServerDefaults defaults) {
        this.caches = new McpServerCaches(servers, tools, secrets, configMaps, sandboxes, defaults);
    }

    /** Resolves a Sandbox with the known Secrets. */
    public SandboxResolution resolve(Sandbox sandbox) {
        return caches.resolve(sandbox);
    }

    /** From its start on, the catalogue and open sessions follow the informers. */
    public void feed(ToolCatalog catalog, SessionManager sessions) {
        CatalogFeed.install(caches, catalog, sessions);
    }

    /**
     * The reconciler, with everything that is a reason to call it going to the queue.
     *
     * @param journal to which the sessions report
     * @param containers to which the engine reports
     * @param resyncPeriod how long tools may go unlisted while a session is open
     * @param replica which orlojd this is
     */
    public Reconciler reconciler(
            ResourceClient client,
            SessionManager sessions,
            SessionJournal journal,
            ContainerJournal containers,
            Workqueue<ResourceKey> queue,
            InstantSource clock,
            Duration resyncPeriod,
            String replica) {
        McpServerTriggers.install(caches, queue, journal);
        containers.onChange(queue::add);
        return new McpServerReconciler(
                client,
                caches,
                sessions,
                journal,
                new ContainerStatus(containers, clock),
                new ToolListings(clock, resyncPeriod, caches::listingLimits, queue::add),
                clock,
                replica);
    }
}
