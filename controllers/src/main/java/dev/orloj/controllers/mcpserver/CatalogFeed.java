package dev.orloj.controllers.mcpserver;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.GoDuration;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.compact.CompactTools;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.mcpserver.definition.Resolution;
import dev.orloj.controllers.mcpserver.definition.SpecPolicies;
import dev.orloj.controllers.policy.AffectedNamespaces;
import dev.orloj.runtime.catalog.Refusal;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Updates the {@link ToolCatalog} and the open sessions from the resources. Runs on every replica,
 * because every replica serves calls.
 */
final class CatalogFeed {

    private final McpServerCaches caches;
    private final ToolCatalog catalog;
    private final SessionManager sessions;

    /**
     * Serializes the events of servers and Secrets, which arrive on different threads. The last
     * event to take the lock reads the newest state.
     */
    private final Object serverLock = new Object();

    private CatalogFeed(McpServerCaches caches, ToolCatalog catalog, SessionManager sessions) {
        this.caches = caches;
        this.catalog = catalog;
        this.sessions = sessions;
    }

    /** Adds the event handlers. The informers of the caches must not be started yet. */
    static void install(McpServerCaches caches, ToolCatalog catalog, SessionManager sessions) {
        CatalogFeed feed = new CatalogFeed(caches, catalog, sessions);
        caches.servers().addHandler(feed.new Servers());
        caches.tools().addHandler(feed.new Tools());
        caches.secrets().addHandler(feed.references(caches::usersOf));
        caches.configMaps().addHandler(feed.references(caches::usersOf));
        caches.sandboxes()
                .addHandler(
                        EventHandler.of(
                                CatalogFeed::isChanged,
                                sandbox -> feed.refreshAll(caches.usersOf(sandbox))));
        caches.toolPolicies()
                .addHandler(
                        EventHandler.of(
                                (before, after) -> !before.spec().equals(after.spec()),
                                policy ->
                                        feed.refreshAll(
                                                caches.serversOf(policy.metadata().namespace()))));
        AffectedNamespaces.follow(
                caches.serverPolicies(),
                caches.namespaces(),
                namespace -> feed.refreshAll(caches.serversOf(namespace)));
    }

    private static boolean isChanged(Sandbox before, Sandbox after) {
        return before.metadata().generation() != after.metadata().generation()
                || !before.metadata().uid().equals(after.metadata().uid())
                || before.metadata().isDeleting() != after.metadata().isDeleting();
    }

    private void refreshAll(List<McpServer> servers) {
        servers.forEach(server -> refresh(server.key()));
    }

    private void refresh(ResourceKey key) {
        synchronized (serverLock) {
            caches.find(key)
                    .filter(server -> !server.metadata().isDeleting())
                    .ifPresentOrElse(this::offer, () -> catalog.removeServer(key));
        }
    }

    @GuardedBy("serverLock")
    private void offer(McpServer server) {
        if (KnownStatus.isLoop(server)) {
            catalog.refuseServer(server.key(), "leads back to this orlojd (GatewayLoop)");
            return;
        }
        Optional<String> withheld = WithheldStatus.why(server);
        if (withheld.isPresent()) {
            catalog.refuseServer(Refusal.withheld(server.key(), withheld.get()));
            sessions.dismiss(server.key());
            return;
        }
        switch (caches.resolve(server)) {
            case Resolution.Resolved resolved -> {
                catalog.putServer(resolved.definition());
                sessions.follow(resolved.definition());
            }
            case Resolution.Suspended(String why) ->
                    catalog.refuseServer(server.key(), "is suspended: " + why);
            case Resolution.Refused(String reason, String message) -> {
                catalog.refuseServer(
                        new Refusal(
                                server.key(), "was not accepted (%s)".formatted(reason), message));
                // The leader closes its own sessions when it reconciles the server.
                sessions.dismiss(server.key());
            }
        }
    }

    /**
     * Returns the catalog entry of a Tool of an MCP server, whether the Tool was generated or
     * written by hand. Returns empty for any other Tool.
     */
    private static Optional<ToolEntry> entry(Tool tool) {
        Tool.Spec spec = tool.spec();
        if (!spec.type().equals(Tool.TYPE_MCP)
                || spec.mcpServerRef().isEmpty()
                || tool.metadata().isDeleting()) {
            return Optional.empty();
        }
        ResourceKey key = tool.key();
        JsonNode given = spec.definition().inputSchema();
        JsonNode schema = given == null ? Json.MAPPER.createObjectNode() : given;
        return Optional.of(
                new ToolEntry(
                        key,
                        tool.metadata().uid(),
                        new ResourceKey(tool.metadata().namespace(), spec.mcpServerRef()),
                        spec.mcpToolName(),
                        spec.agentName(),
                        schema,
                        Optional.ofNullable(spec.timeout())
                                .map(GoDuration::toDuration)
                                .filter(Duration::isPositive),
                        SpecPolicies.outputLimit(spec.output()),
                        CompactTools.shallow(spec.listed()),
                        ParameterHeaders.orNone(schema),
                        Objects.requireNonNullElse(
                                tool.metadata().creationTimestamp(), Instant.MAX)));
    }

    private final class Servers implements EventHandler<McpServer> {

        @Override
        public void added(McpServer server, boolean initial) {
            introduce(server);
            expose(server);
            refresh(server.key());
        }

        @Override
        public void updated(McpServer before, McpServer after) {
            introduce(after);
            expose(after);
            if (!approval(before).equals(approval(after))) {
                catalog.featuresChanged(after.key());
            }
            if (before.metadata().generation() != after.metadata().generation()
                    || KnownStatus.isLoop(before) != KnownStatus.isLoop(after)
                    || !WithheldStatus.why(before).equals(WithheldStatus.why(after))
                    || before.metadata().isDeleting() != after.metadata().isDeleting()
                    || !before.restartedAt().equals(after.restartedAt())) {
                refresh(after.key());
            }
        }

        @Override
        public void deleted(McpServer last) {
            catalog.openToSse(last.key(), false);
            refresh(last.key());
        }

        /** Returns what the status says of held definitions. */
        private static Optional<String> approval(McpServer server) {
            return Conditions.find(server.status().conditions(), McpServer.TOOLS_APPROVED)
                    .map(Condition::message);
        }

        private void expose(McpServer server) {
            catalog.openToSse(
                    server.key(), server.spec().offer().expose().contains(McpServer.Exposure.SSE));
        }

        /** Keeps the identity of the last session until a new session opens. */
        private void introduce(McpServer server) {
            McpServerStatus status = server.status();
            catalog.putGateways(server.key(), status.gateways());
            // A server of revision 2026-07-28 may omit its serverInfo. Every server has a protocol
            // version.
            if (!status.protocolVersion().isEmpty()) {
                catalog.putIdentity(
                        server.key(),
                        new ServerIdentity(
                                status.protocolVersion(),
                                status.serverInfo() == null
                                        ? Json.MAPPER.createObjectNode()
                                        : status.serverInfo(),
                                status.capabilities() == null
                                        ? Json.MAPPER.createObjectNode()
                                        : status.capabilities(),
                                status.instructions()));
            }
        }
    }

    private final class Tools implements EventHandler<Tool> {

        @Override
        public void added(Tool tool, boolean initial) {
            put(tool);
        }

        @Override
        public void updated(Tool before, Tool after) {
            put(after);
        }

        @Override
        public void deleted(Tool last) {
            catalog.removeTool(last.key());
        }

        /** Skips Tools of type http: {@code HttpToolFeed} adds them. */
        private void put(Tool tool) {
            if (tool.spec().type().equals(Tool.TYPE_HTTP)) {
                return;
            }
            entry(tool).ifPresentOrElse(catalog::putTool, () -> catalog.removeTool(tool.key()));
        }
    }

    /**
     * Handles what the definitions of servers depend on: Secrets and ConfigMaps that they refer to.
     */
    private <R> EventHandler<R> references(Function<R, List<McpServer>> users) {
        return EventHandler.of(resource -> refreshAll(users.apply(resource)));
    }
}
