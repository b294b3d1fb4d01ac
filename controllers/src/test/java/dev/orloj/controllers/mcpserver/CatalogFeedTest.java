package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Condition;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;
import dev.orloj.controllers.mcpserver.definition.ServerDefaults;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.runtime.catalog.Refusal;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.limit.ProcessLimits;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.SessionSettings;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** What the catalogue knows of a server by its status. */
class CatalogFeedTest {

    private static final ResourceKey KEY = new ResourceKey("default", "git");
    private static final ResourceKey BOX = new ResourceKey("default", "box");
    private static final String POLICY =
            """
            {"apiVersion": "orloj.dev/v1", "kind": "McpServerPolicy", "metadata": {"name": "http"},
             "spec": {"namespace_selector": {"matchLabels": {"tier": "closed"}}, "hosting": ["http"]}}
            """;

    private final ManualClock clock = new ManualClock();
    private final MemoryResourceClient store = new MemoryResourceClient(clock);
    private final ToolCatalog catalog = new ToolCatalog();
    private final SystemScheduler scheduler = new SystemScheduler();
    private final Informers informers = new Informers(store, McpServerCaches.KINDS);
    private final Informer<McpServer> servers = informers.of(McpServer.KIND);
    private final SessionManager sessions =
            new SessionManager(
                    new ScriptedServers(),
                    new SessionJournal(clock),
                    scheduler,
                    new Random(1),
                    new SessionSettings(
                            "test",
                            Duration.ofSeconds(1),
                            Duration.ofSeconds(1),
                            ProcessLimits.NONE));

    @BeforeEach
    void follow() {
        CatalogFeed.install(
                new McpServerCaches(
                        informers,
                        new ServerDefaults(
                                Duration.ofSeconds(5),
                                Duration.ofMillis(100),
                                ContainerPolicy.DEFAULT)),
                catalog,
                sessions);
        informers.all().forEach(Informer::start);
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Informer<?> informer : informers.all()) {
            informer.close();
        }
        sessions.close();
        scheduler.close();
    }

    /** H-12. */
    @Test
    void serverThatDoesNotSayWhoItIsHasAnIdentityAllTheSame() {
        store(
                McpServerStatus.EMPTY.toBuilder()
                        .identity("2026-07-28", null, Json.MAPPER.readTree("{\"prompts\": {}}"), "")
                        .build());

        await().until(() -> catalog.findIdentity(KEY).isPresent());

        ServerIdentity identity = catalog.findIdentity(KEY).orElseThrow();
        assertThat(identity.hasSessions()).isFalse();
        assertThat(identity.capabilities().has("prompts")).isTrue();
        assertThat(identity.serverInfo().isEmpty()).isTrue();
    }

    /** H-30. */
    @Test
    void serverThatLeadsBackHereTakesNoCallsUntilItDoesNot() {
        store(
                McpServerStatus.EMPTY.toBuilder()
                        .gateways(List.of("a", "b"))
                        .conditions(
                                List.of(
                                        Condition.isFalse(
                                                McpServer.TOOLS_SYNCED,
                                                ServerStatus.GATEWAY_LOOP,
                                                "It does")))
                        .build());

        await().untilAsserted(
                        () ->
                                assertThat(catalog.findRefusal(KEY))
                                        .hasValue(
                                                new Refusal(
                                                        KEY,
                                                        "leads back to this orlojd (GatewayLoop)",
                                                        "")));
        // The refusal comes first in both directions, so that there is never no answer.
        await().until(() -> catalog.findServer(KEY).isEmpty());
        assertThat(catalog.gatewaysOf(KEY::equals)).containsExactly("a", "b");

        McpServer now = store.get(McpServer.KIND, KEY);
        store.updateStatus(McpServer.KIND, now.withStatus(McpServerStatus.EMPTY));

        await().until(() -> catalog.findServer(KEY).isPresent());
        await().until(() -> catalog.findRefusal(KEY).isEmpty());
    }

    @Test
    void serverThatAPolicyForbidsIsNotOfferedAndItsSessionsAreClosed() throws Exception {
        namespace("{}");
        store(McpServerStatus.EMPTY);
        await().until(() -> catalog.findServer(KEY).isPresent());
        sessions.start(catalog.findServer(KEY).orElseThrow().definition(), Optional.empty());
        await().until(() -> sessions.liveSession(KEY).isPresent());

        policy();
        assertThat(catalog.findServer(KEY)).isPresent();
        Namespace before = store.get(Namespace.KIND, new ResourceKey("", "default"));
        store.update(
                Namespace.KIND,
                before.withMetadata(before.metadata().withLabels(Map.of("tier", "closed"))));

        await().until(() -> catalog.findServer(KEY).isEmpty());
        await().until(() -> sessions.isGone(KEY));

        store.delete(
                McpServerPolicy.KIND, new ResourceKey("", "http"), DeleteOptions.UNCONDITIONAL);
        await().until(() -> catalog.findServer(KEY).isPresent());
    }

    /** A replica that does not lead reconciles nothing, and has no other way to notice. */
    @Test
    void serverWhoseSandboxAPolicyForbidsIsNotOfferedAndItsSessionsAreClosed() throws Exception {
        namespace("{}");
        create(
                McpServerPolicy.KIND,
                """
                {"apiVersion": "orloj.dev/v1", "kind": "McpServerPolicy",
                 "metadata": {"name": "images"}, "spec": {"images": {"references": ["good/*"]}}}
                """);
        create(Sandbox.KIND, sandbox("good/box"));
        store.create(
                McpServer.KIND,
                Manifests.server(
                        "default",
                        "git",
                        "\"transport\": \"stdio\", \"command\": \"x\", \"sandbox_ref\": \"box\""));
        await().until(() -> catalog.findServer(KEY).isPresent());
        sessions.start(catalog.findServer(KEY).orElseThrow().definition(), Optional.empty());
        await().until(() -> sessions.liveSession(KEY).isPresent());

        image("evil/box");

        await().until(() -> catalog.findServer(KEY).isEmpty());
        await().until(() -> sessions.isGone(KEY));

        image("good/other");
        await().until(() -> catalog.findServer(KEY).isPresent());

        store.delete(Sandbox.KIND, BOX, DeleteOptions.UNCONDITIONAL);
        await().until(() -> catalog.findServer(KEY).isEmpty());
    }

    private static String sandbox(String image) {
        return """
        {"apiVersion": "orloj.dev/v1", "kind": "Sandbox",
         "metadata": {"name": "box", "namespace": "default"}, "spec": {"image": "%s"}}
        """
                .formatted(image);
    }

    private void image(String image) {
        Sandbox stored = store.get(Sandbox.KIND, BOX);
        store.update(
                Sandbox.KIND,
                ResourceCodec.fromDocument(
                                Sandbox.KIND, (ObjectNode) Json.MAPPER.readTree(sandbox(image)))
                        .withMetadata(stored.metadata()));
    }

    @Test
    void serverThatAPolicyNoLongerSelectsIsOfferedAgain() {
        namespace("{\"tier\": \"closed\"}");
        store(McpServerStatus.EMPTY);
        await().until(() -> catalog.findServer(KEY).isPresent());
        policy();
        await().until(() -> catalog.findServer(KEY).isEmpty());

        McpServerPolicy stored = store.get(McpServerPolicy.KIND, new ResourceKey("", "http"));
        store.update(
                McpServerPolicy.KIND,
                ResourceCodec.fromDocument(
                                McpServerPolicy.KIND,
                                (ObjectNode)
                                        Json.MAPPER.readTree(POLICY.replace("closed", "other")))
                        .withMetadata(stored.metadata()));

        await().until(() -> catalog.findServer(KEY).isPresent());
    }

    private void namespace(String labels) {
        create(
                Namespace.KIND,
                """
                {"apiVersion": "v1", "kind": "Namespace",
                 "metadata": {"name": "default", "labels": %s}}
                """
                        .formatted(labels));
    }

    private void policy() {
        create(McpServerPolicy.KIND, POLICY);
    }

    private <R extends Resource> void create(Kind<R> kind, String json) {
        store.create(
                kind, ResourceCodec.fromDocument(kind, (ObjectNode) Json.MAPPER.readTree(json)));
    }

    private void store(McpServerStatus status) {
        McpServer server =
                store.create(
                        McpServer.KIND,
                        Manifests.server(
                                "default", "git", "\"transport\": \"stdio\", \"command\": \"x\""));
        store.updateStatus(McpServer.KIND, server.withStatus(status));
    }
}
