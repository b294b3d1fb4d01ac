package dev.orloj.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.core.Event;
import dev.orloj.api.core.Pod;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus.Phase;
import dev.orloj.controllers.container.ContainerJournal;
import dev.orloj.controllers.control.LeaderElector;
import dev.orloj.controllers.mcpserver.Manifests;
import dev.orloj.controllers.mcpserver.ScriptedServers;
import dev.orloj.controllers.mcpserver.SessionJournal;
import dev.orloj.controllers.mcpserver.approval.InMemoryApprovals;
import dev.orloj.controllers.pods.ProcessLedger;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.oauth.AuthorizationCodeGrant;
import dev.orloj.runtime.session.SessionListeners;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.Engines;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Counts the requests of the controllers from the creation of a stdio server to Ready. Each write
 * is a transaction with a flush to disk and one notification, so a thousand servers multiply every
 * one of them. The clock stands still, so that no server counts as slow.
 */
@DisplayName("Issue 18: what a server costs from apply to Ready")
class ServerCostTest {

    private static final int SERVERS = 20;

    private final ManualClock clock = new ManualClock();
    private final MemoryResourceClient store = new MemoryResourceClient(clock);
    private final CountingClient client = new CountingClient(store);
    private final ScriptedServers servers = new ScriptedServers();
    private final SystemScheduler scheduler = new SystemScheduler();
    private final SessionJournal journal = new SessionJournal(clock);
    private final ProcessLedger processes =
            new ProcessLedger(clock, new Replica("replica-1", "host"));
    private final SessionManager sessions =
            new SessionManager(
                    servers,
                    new SessionListeners(List.of(journal, processes)),
                    scheduler,
                    new Random(1),
                    SessionSettings.withVersion("test"));
    private final AuthorizationCodeGrant grant =
            new AuthorizationCodeGrant(EndpointAddresses.DEFAULT, clock);
    private final ControlPlane controls =
            new ControlPlane(
                    client,
                    new InMemoryApprovals(),
                    sessions,
                    Engines.unused(),
                    journal,
                    new ContainerJournal(),
                    processes,
                    new ToolCatalog(),
                    LeaderElector.ALWAYS,
                    grant,
                    clock,
                    new ControlSettings(
                            4,
                            Duration.ofMinutes(5),
                            Duration.ofSeconds(30),
                            Duration.ofMillis(100),
                            Duration.ofHours(1),
                            ContainerPolicy.DEFAULT));

    @BeforeEach
    void start() throws InterruptedException {
        controls.start();
        controls.awaitReady();
    }

    @AfterEach
    void stop() throws InterruptedException {
        controls.stop();
        sessions.close();
        grant.close();
        scheduler.close();
    }

    @Test
    void newServerTakesTheFewestWrites() throws InterruptedException {
        await().until(() -> client.counts().containsKey("list Lease"));
        client.reset();

        for (int n = 0; n < SERVERS; n++) {
            servers.script("mcp-" + n).offer("one", "two", "three").runAs(1000 + n);
            create("s" + n, "\"transport\": \"stdio\", \"command\": \"mcp-%d\"".formatted(n));
        }

        await().until(() -> all(McpServer.KIND).stream().allMatch(ServerCostTest::isReady));
        await().until(() -> all(Event.KIND).size() == 2 * SERVERS);
        await().until(() -> all(Pod.KIND).size() == SERVERS);
        assertThat(writes())
                .isEqualTo(
                        Map.of(
                                "writeAll Tool", SERVERS,
                                "updateStatus McpServer", SERVERS,
                                "create Event", 2 * SERVERS,
                                "create Pod", SERVERS));
    }

    /** As the API stores it: the finalizer is there from the creation. */
    private void create(String name, String spec) {
        McpServer server = Manifests.server("default", name, spec);
        store.create(
                McpServer.KIND,
                server.withMetadata(server.metadata().withFinalizer(McpServer.FINALIZER)));
    }

    private Map<String, Integer> writes() {
        Map<String, Integer> writes = client.counts();
        writes.keySet()
                .removeIf(request -> request.startsWith("find") || request.startsWith("list"));
        writes.keySet().removeIf(request -> request.endsWith(" Lease"));
        return writes;
    }

    private static boolean isReady(McpServer server) {
        return server.status().phase() == Phase.READY;
    }

    private <R extends Resource> List<R> all(Kind<R> kind) {
        return store.list(kind, ListOptions.everything()).items();
    }
}
