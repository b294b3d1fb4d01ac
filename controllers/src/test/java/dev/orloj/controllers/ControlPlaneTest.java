package dev.orloj.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ApiException;
import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.core.Secret;
import dev.orloj.api.testing.FaultyClient;
import dev.orloj.api.testing.FaultyClient.Verb;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.container.ContainerJournal;
import dev.orloj.controllers.control.LeaderElector;
import dev.orloj.controllers.mcpserver.ScriptedServers;
import dev.orloj.controllers.mcpserver.SessionJournal;
import dev.orloj.controllers.mcpserver.approval.InMemoryApprovals;
import dev.orloj.controllers.pods.ProcessLedger;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.workqueue.WorkTimings;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.limit.ProcessLimits;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.oauth.AuthorizationCodeGrant;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.Engines;
import dev.orloj.runtime.transport.ServerAddress;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Everything together: threads, queues, caches, sessions; only the servers and the store are ours.
 */
class ControlPlaneTest {

    private static final ResourceKey KEY = new ResourceKey("default", "git");
    private static final Duration BUSY = Duration.ofMinutes(1);
    private static final String STDIO = "\"transport\": \"stdio\", \"command\": \"git-mcp\"";

    private final MemoryResourceClient store = new MemoryResourceClient(InstantSource.system());
    private final FaultyClient client = new FaultyClient(store);
    private final ScriptedServers servers = new ScriptedServers();
    private final ScriptedServers.Script script = servers.script("git-mcp");
    private final List<Replica> replicas = new ArrayList<>();

    /** One orlojd, as far as it is here. */
    private final class Replica {

        final ToolCatalog catalog = new ToolCatalog();
        final SystemScheduler scheduler = new SystemScheduler();
        final AuthorizationCodeGrant grant =
                new AuthorizationCodeGrant(EndpointAddresses.DEFAULT, scheduler);
        final SessionJournal journal = new SessionJournal(scheduler);
        final SessionManager sessions =
                new SessionManager(
                        servers,
                        journal,
                        scheduler,
                        new Random(1),
                        new SessionSettings(
                                "test",
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(1),
                                ProcessLimits.NONE));
        final ControlPlane controls;
        private final AtomicInteger rounds = new AtomicInteger();

        Replica(int workers) {
            controls =
                    new ControlPlane(
                            client,
                            new InMemoryApprovals(),
                            sessions,
                            Engines.unused(),
                            journal,
                            new ContainerJournal(),
                            new ProcessLedger(
                                    scheduler,
                                    new dev.orloj.controllers.replica.Replica("replica-1", "host")),
                            catalog,
                            LeaderElector.ALWAYS,
                            grant,
                            scheduler,
                            new ControlSettings(
                                    workers,
                                    Duration.ofMinutes(5),
                                    Duration.ofSeconds(30),
                                    Duration.ofMillis(100),
                                    Duration.ofHours(1),
                                    ContainerPolicy.DEFAULT));
        }

        /**
         * Has the server reconciled, and returns when a round that began after this call is over.
         */
        void reconcile(ResourceKey key) {
            // The first round to end may have begun before.
            for (int i = 0; i < 2; i++) {
                int before = rounds.get();
                servers().add(key);
                await().atMost(BUSY).until(() -> rounds.get() > before);
            }
        }

        boolean hasSeen(McpServer server) {
            return controls.servers().stream()
                    .map(McpServer::metadata)
                    .anyMatch(server.metadata()::equals);
        }

        private Workqueue<ResourceKey> servers() {
            return controls.controllers().stream()
                    .filter(controller -> controller.name().equals("mcpserver"))
                    .findFirst()
                    .orElseThrow()
                    .queue();
        }

        private void count() {
            servers()
                    .reportTo(
                            new WorkTimings() {
                                @Override
                                public void waited(Duration time) {}

                                @Override
                                public void worked(Duration time) {
                                    rounds.incrementAndGet();
                                }
                            });
        }

        void stop() throws InterruptedException {
            controls.stop();
            sessions.close();
            grant.close();
            scheduler.close();
        }
    }

    private Replica start(int workers) {
        Replica replica = new Replica(workers);
        replicas.add(replica);
        replica.count();
        replica.controls.start();
        await().until(replica.controls::ready);
        return replica;
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Replica replica : replicas) {
            replica.stop();
        }
    }

    private static ObjectNode document(String kind, String name, String spec) {
        return (ObjectNode)
                Json.MAPPER.readTree(
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "%s",
                         "metadata": {"namespace": "default", "name": "%s"}, "spec": {%s}}
                        """
                                .formatted(kind, name, spec));
    }

    private void apply(String name, String spec) {
        store.create(
                McpServer.KIND,
                ResourceCodec.fromDocument(McpServer.KIND, document("McpServer", name, spec)));
    }

    /** Tries again when a controller was faster, as a client does. */
    private void change(ResourceKey key, String spec) {
        McpServer wanted =
                ResourceCodec.fromDocument(McpServer.KIND, document("McpServer", key.name(), spec));
        await().ignoreExceptions()
                .until(
                        () -> {
                            McpServer stored = store.get(McpServer.KIND, key);
                            store.update(McpServer.KIND, stored.withSpec(wanted.spec()));
                            return true;
                        });
    }

    private void awaitPhase(ResourceKey key, McpServerStatus.Phase phase) {
        await().untilAsserted(
                        () ->
                                assertThat(store.get(McpServer.KIND, key).status())
                                        .satisfies(
                                                status -> {
                                                    assertThat(status.phase()).isEqualTo(phase);
                                                    assertThat(status.observedGeneration())
                                                            .isEqualTo(
                                                                    store.get(McpServer.KIND, key)
                                                                            .metadata()
                                                                            .generation());
                                                }));
    }

    private List<String> toolNames() {
        return store.list(Tool.KIND, ListOptions.everything()).items().stream()
                .map(tool -> tool.metadata().name())
                .toList();
    }

    private void awaitTools(String... names) {
        await().untilAsserted(() -> assertThat(toolNames()).containsExactly(names));
    }

    @Test
    void appliedServerIsReadyAndItsToolsCanBeFound() {
        Replica replica = start(4);
        script.offer("log");

        apply("git", STDIO);

        awaitPhase(KEY, McpServerStatus.Phase.READY);
        await().until(() -> replica.catalog.findByAgentName("default", "git__log").isPresent());
        assertThat(replica.catalog.findServer(KEY)).isPresent();
        assertThat(replica.catalog.findTool(new ResourceKey("default", "git--log")))
                .hasValueSatisfying(
                        entry -> {
                            assertThat(entry.mcpToolName()).isEqualTo("log");
                            assertThat(entry.server()).isEqualTo(KEY);
                        });
    }

    /** Clients read a Tool from the store before the informer of each replica receives it. */
    @Test
    void storedToolIsAwaitedUntilTheCatalogHoldsIt() throws Exception {
        Replica replica = start(4);
        ResourceKey tool = new ResourceKey("default", "git--log");
        cutOffTools();
        script.offer("log");
        apply("git", STDIO);
        awaitTools("git--log");
        assertThat(replica.catalog.findTool(tool)).isEmpty();
        FutureTask<Boolean> found =
                new FutureTask<>(
                        () -> {
                            replica.controls.catalogFreshness().await();
                            return replica.catalog.findTool(tool).isPresent();
                        });
        Thread caller = Thread.ofPlatform().start(found);
        await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);

        client.heal();

        assertThat(found.get(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void toolThatIsNotStoredIsNotAwaited() throws Exception {
        Replica replica = start(4);
        cutOffTools();

        replica.controls.catalogFreshness().await();

        assertThat(replica.catalog.findTool(new ResourceKey("default", "git--none"))).isEmpty();
    }

    @Test
    void toolThatDoesNotReachTheCatalogInTimeIsReported() {
        Replica replica = start(4);
        cutOffTools();
        script.offer("log");
        apply("git", STDIO);
        awaitTools("git--log");

        assertThatThrownBy(() -> replica.controls.catalogFreshness().await())
                .isInstanceOf(ApiException.class)
                .hasMessage(
                        "this orlojd has not received all McpServers, Tools and Namespaces of the"
                                + " store within 5 seconds; the request was not carried out: try"
                                + " again");
    }

    /** The informers cannot watch or list Tools until the client is healed. */
    private void cutOffTools() {
        AtomicBoolean refused = new AtomicBoolean();
        client.failBefore(
                request -> {
                    if (request.kind().equals(Tool.KIND)
                            && (request.verb() == Verb.WATCH || request.verb() == Verb.LIST)) {
                        refused.compareAndSet(false, request.verb() == Verb.WATCH);
                        throw new ApiException(ErrorReason.SERVICE_UNAVAILABLE, "cut off");
                    }
                });
        // A watch that was asked for just before opens only now.
        await().until(
                        () -> {
                            store.cutWatches();
                            return refused.get();
                        });
    }

    /** D-01: {@code notifications/tools/list_changed} is listened to. */
    @Test
    void announcedChangeIsSynced() {
        start(4);
        script.offer("log");
        apply("git", STDIO);
        awaitTools("git--log");

        script.offer("diff", "log");
        script.announceChange();

        awaitTools("git--diff", "git--log");
    }

    @Test
    void deletedServerLeavesNothingBehind() {
        Replica replica = start(4);
        script.offer("log");
        apply("git", STDIO);
        awaitTools("git--log");

        store.delete(McpServer.KIND, KEY, DeleteOptions.UNCONDITIONAL);

        await().until(() -> store.find(McpServer.KIND, KEY).isEmpty());
        awaitTools();
        assertThat(script.live()).isZero();
        await().until(() -> replica.catalog.findServer(KEY).isEmpty());
        await().until(() -> replica.catalog.findByAgentName("default", "git__log").isEmpty());
    }

    @Test
    void toolsOfAServerWhoseFinalizerWasTakenOffAreCollected() {
        start(4);
        script.offer("log");
        apply("git", STDIO);
        awaitPhase(KEY, McpServerStatus.Phase.READY);
        awaitTools("git--log");

        ObjectNode noFinalizers = Json.MAPPER.createObjectNode();
        noFinalizers.withObject("/metadata").putNull("finalizers");
        store.delete(McpServer.KIND, KEY, DeleteOptions.UNCONDITIONAL);
        await().ignoreExceptions()
                .until(
                        () -> {
                            if (store.find(McpServer.KIND, KEY).isPresent()) {
                                store.patch(McpServer.KIND, KEY, noFinalizers);
                            }
                            return store.find(McpServer.KIND, KEY).isEmpty();
                        });

        awaitTools();
        await().until(() -> script.live() == 0);
    }

    /** D-06. */
    @Test
    void secretThatComesLateAndRotatesIsNoticed() {
        start(4);
        script.offer("log");
        apply("git", STDIO + ", \"env\": [{\"name\": \"TOKEN\", \"secretRef\": \"creds\"}]");
        awaitPhase(KEY, McpServerStatus.Phase.ERROR);

        Secret secret =
                store.create(
                        Secret.KIND,
                        ResourceCodec.fromDocument(
                                Secret.KIND,
                                document("Secret", "creds", "\"data\": {\"value\": \"b2xk\"}")));
        awaitPhase(KEY, McpServerStatus.Phase.READY);
        store.update(
                Secret.KIND,
                ResourceCodec.fromDocument(
                                Secret.KIND,
                                document("Secret", "creds", "\"data\": {\"value\": \"bmV3\"}"))
                        .withMetadata(secret.metadata()));

        await().untilAsserted(
                        () ->
                                assertThat(script.opened())
                                        .extracting(a -> ((ServerAddress.Stdio) a).env())
                                        .extracting(env -> env.get("TOKEN"))
                                        .containsExactly("old", "new"));
        await().until(() -> script.live() == 1);
    }

    @Test
    void serverThatHangsDoesNotHoldUpOthers() {
        start(2);
        servers.script("slow-mcp").hangWhenOpened();
        apply("slow", "\"transport\": \"stdio\", \"command\": \"slow-mcp\"");
        awaitPhase(new ResourceKey("default", "slow"), McpServerStatus.Phase.CONNECTING);

        for (int n = 0; n < 10; n++) {
            servers.script("mcp-" + n).offer("tool");
            apply("s" + n, "\"transport\": \"stdio\", \"command\": \"mcp-%d\"".formatted(n));
        }

        for (int n = 0; n < 10; n++) {
            awaitPhase(new ResourceKey("default", "s" + n), McpServerStatus.Phase.READY);
        }
    }

    /**
     * Issue 17, item 2. There is one worker, so whatever holds it holds up everything: servers that
     * never answer, that do not list their tools, that do not end, and that die at once.
     */
    @Test
    void noServerHoldsAWorker() {
        start(1);
        CountDownLatch unlisted = servers.script("mute-mcp").hangWhenListed();
        CountDownLatch unending = servers.script("tough-mcp").hangWhenClosed();
        servers.script("tough-mcp").offer("tool");
        servers.script("silent-mcp").hangWhenOpened();
        servers.script("dying-mcp").refuseToOpen("exit code 1");
        ResourceKey tough = new ResourceKey("default", "tough");
        apply("tough", "\"transport\": \"stdio\", \"command\": \"tough-mcp\"");
        awaitPhase(tough, McpServerStatus.Phase.READY);
        store.delete(McpServer.KIND, tough, DeleteOptions.UNCONDITIONAL);
        apply("mute", "\"transport\": \"stdio\", \"command\": \"mute-mcp\"");
        for (int n = 0; n < 50; n++) {
            apply("silent-" + n, "\"transport\": \"stdio\", \"command\": \"silent-mcp\"");
            apply("dying-" + n, "\"transport\": \"stdio\", \"command\": \"dying-mcp\"");
        }
        await().until(() -> servers.script("silent-mcp").live() == 50);

        script.offer("log");
        apply("git", STDIO);
        awaitPhase(KEY, McpServerStatus.Phase.READY);
        store.delete(McpServer.KIND, KEY, DeleteOptions.UNCONDITIONAL);
        await().until(() -> store.find(McpServer.KIND, KEY).isEmpty());

        for (int n = 0; n < 50; n++) {
            awaitConnected(new ResourceKey("default", "silent-" + n), "Connecting");
        }
        awaitConnected(new ResourceKey("default", "dying-0"), "Connecting", "ConnectFailed");
        awaitPhase(new ResourceKey("default", "mute"), McpServerStatus.Phase.CONNECTING);
        assertThat(store.find(McpServer.KIND, tough)).as("its process is there").isPresent();
        unending.countDown();
        await().until(() -> store.find(McpServer.KIND, tough).isEmpty());
        servers.script("mute-mcp").offer("late");
        unlisted.countDown();
        awaitPhase(new ResourceKey("default", "mute"), McpServerStatus.Phase.READY);
    }

    private void awaitConnected(ResourceKey key, String... reasons) {
        await().untilAsserted(
                        () ->
                                assertThat(
                                                Conditions.find(
                                                        store.get(McpServer.KIND, key)
                                                                .status()
                                                                .conditions(),
                                                        McpServer.CONNECTED))
                                        .map(Condition::reason)
                                        .hasValueSatisfying(
                                                reason ->
                                                        assertThat(reason)
                                                                .isIn((Object[]) reasons)));
    }

    /** A loaded machine and an idle one differ more than a crowd of servers may. */
    @Test
    void silentServersDoNotSlowDownAHealthyOne() {
        start(4);
        script.offer("log");
        long alone = nanosOfALife("git");
        servers.script("silent-mcp").hangWhenOpened();
        servers.script("dying-mcp").refuseToOpen("exit code 1");
        for (int n = 0; n < 50; n++) {
            apply("silent-" + n, "\"transport\": \"stdio\", \"command\": \"silent-mcp\"");
            apply("dying-" + n, "\"transport\": \"stdio\", \"command\": \"dying-mcp\"");
        }
        await().until(() -> servers.script("silent-mcp").live() == 50);

        long beside = nanosOfALife("git-beside");

        assertThat(beside).isLessThan(alone * 3 / 2 + Duration.ofSeconds(2).toNanos());
    }

    /** From apply to Ready, and from delete to gone. */
    private long nanosOfALife(String name) {
        ResourceKey key = new ResourceKey("default", name);
        long begin = System.nanoTime();
        apply(name, STDIO);
        awaitPhase(key, McpServerStatus.Phase.READY);
        store.delete(McpServer.KIND, key, DeleteOptions.UNCONDITIONAL);
        await().until(() -> store.find(McpServer.KIND, key).isEmpty());
        return System.nanoTime() - begin;
    }

    @Test
    void repairedManifestDoesNotWaitForTheHangingOne() {
        start(1);
        CountDownLatch never = servers.script("slow-mcp").hangWhenOpened();
        script.offer("log");
        apply("git", "\"transport\": \"stdio\", \"command\": \"slow-mcp\"");
        await().until(() -> servers.script("slow-mcp").live() == 1);

        change(KEY, STDIO);

        awaitPhase(KEY, McpServerStatus.Phase.READY);
        assertThat(never.getCount()).isEqualTo(1);
    }

    @Test
    void serverThatHangsCanBeDeleted() {
        start(1);
        servers.script("slow-mcp").hangWhenOpened();
        apply("git", "\"transport\": \"stdio\", \"command\": \"slow-mcp\"");
        await().until(() -> servers.script("slow-mcp").live() == 1);

        store.delete(McpServer.KIND, KEY, DeleteOptions.UNCONDITIONAL);

        await().until(() -> store.find(McpServer.KIND, KEY).isEmpty());
        await().until(() -> servers.script("slow-mcp").live() == 0);
    }

    /** D-16: replicas that all do everything agree, and come to rest. */
    @Test
    void twoReplicasAgreeOnTheSameTools() {
        Replica first = start(4);
        Replica second = start(4);
        script.offer("a_b", "a-b", "log");

        apply("git", STDIO);

        awaitPhase(KEY, McpServerStatus.Phase.READY);
        await().atMost(BUSY).until(() -> script.live() == 2);
        await().atMost(BUSY).until(this::isLeftAloneTwice);
        assertThat(toolNames()).hasSize(3);
        for (Replica replica : List.of(first, second)) {
            await().until(() -> replica.catalog.findByAgentName("default", "git__a_b").isPresent());
        }
    }

    private boolean isLeftAloneTwice() {
        boolean once = isLeftAlone();
        return once && isLeftAlone();
    }

    /** Whether a round of every replica, with caches that are up to date, writes nothing. */
    private boolean isLeftAlone() {
        McpServer server = store.get(McpServer.KIND, KEY);
        List<ResourceVersion> before = versions();
        if (!replicas.stream().allMatch(replica -> replica.hasSeen(server))) {
            return false;
        }
        replicas.forEach(replica -> replica.reconcile(KEY));
        return versions().equals(before);
    }

    private List<ResourceVersion> versions() {
        List<ResourceVersion> versions = new ArrayList<>();
        versions.add(store.get(McpServer.KIND, KEY).metadata().resourceVersion());
        store.list(Tool.KIND, ListOptions.everything())
                .items()
                .forEach(tool -> versions.add(tool.metadata().resourceVersion()));
        return versions;
    }
}
