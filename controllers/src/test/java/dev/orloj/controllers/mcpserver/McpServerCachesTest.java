package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Secret;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;
import dev.orloj.controllers.mcpserver.definition.McpServerView;
import dev.orloj.controllers.mcpserver.definition.ServerDefaults;
import dev.orloj.controllers.mcpserver.tools.ToolPlan;
import dev.orloj.controllers.sandbox.ContainerPolicy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Views that are gathered while the caches move on. */
class McpServerCachesTest {

    private final MemoryResourceClient store = new MemoryResourceClient(new ManualClock());
    private final Informers informers = new Informers(store, McpServerCaches.KINDS);
    private final Informer<McpServer> servers = informers.of(McpServer.KIND);
    private final Informer<Tool> tools = informers.of(Tool.KIND);
    private final Informer<Secret> secrets = informers.of(Secret.KIND);
    private final Informer<ConfigMap> configMaps = informers.of(ConfigMap.KIND);
    private final Informer<Sandbox> sandboxes = informers.of(Sandbox.KIND);
    private final McpServerCaches caches =
            new McpServerCaches(
                    informers,
                    new ServerDefaults(Duration.ZERO, Duration.ZERO, ContainerPolicy.DEFAULT));
    private McpServer server;

    @BeforeEach
    void start() {
        server =
                store.create(
                        McpServer.KIND,
                        Manifests.server(
                                "default", "git", "\"transport\": \"stdio\", \"command\": \"x\""));
        servers.start();
        tools.start();
        secrets.start();
        await().until(() -> servers.hasSynced() && tools.hasSynced());
    }

    @AfterEach
    void stop() throws InterruptedException {
        servers.close();
        tools.close();
        secrets.close();
    }

    /**
     * A second look began before the caches knew the Tools of the first, and made its plan after
     * they did: each tool got another Tool, with a hash in its name.
     */
    @Test
    void ownToolThatArrivesAfterTheViewTakesNoNameAway() {
        McpServerView early = caches.view(server);
        ToolPlan first = ToolPlan.of(early, listed("log", "create_issue"));
        store.writeAll(Tool.KIND, first.writes());
        awaitTool("git--log");

        ToolPlan second = ToolPlan.of(early, listed("log", "create_issue"));

        assertThat(second.generated()).isEqualTo(first.generated());
        assertThat(second.writes()).isEqualTo(first.writes());
    }

    @Test
    void ownToolOfTheViewKeepsItsNameFromAnother() {
        store.writeAll(Tool.KIND, ToolPlan.of(caches.view(server), listed("a.b c")).writes());
        awaitTool("git--a.b-c");

        ToolPlan plan = ToolPlan.of(caches.view(server), listed("a.b c", "a.b-c"));

        assertThat(plan.generated()).hasSize(2).contains("git--a.b-c");
        assertThat(plan.writes()).hasSize(1);
    }

    @Test
    void toolOfAnotherOwnerIsInTheWayWheneverItArrives() {
        McpServerView early = caches.view(server);
        store.create(
                Tool.KIND,
                Manifests.tool(
                        "default", "git--log", "\"type\": \"http\", \"agent_name\": \"git__log\""));
        awaitTool("git--log");

        assertThat(early.nameTaken()).accepts("git--log");
        assertThat(early.agentNameTaken()).accepts("git__log");
    }

    private void awaitTool(String name) {
        await().until(() -> tools.cache().find(new ResourceKey("default", name)).isPresent());
    }

    private static List<ObjectNode> listed(String... names) {
        return Arrays.stream(names)
                .map(name -> Json.MAPPER.createObjectNode().put("name", name))
                .toList();
    }
}
