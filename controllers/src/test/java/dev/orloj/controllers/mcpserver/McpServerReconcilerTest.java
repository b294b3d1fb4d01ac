package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.Event;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Secret;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.control.RetryException;
import dev.orloj.runtime.transport.ServerAddress;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

class McpServerReconcilerTest {

    private static final ResourceKey KEY = new ResourceKey("default", "git");
    private static final String STDIO =
            "\"transport\": \"stdio\", \"command\": \"git-mcp\", \"reconnect\": {\"max_attempts\":"
                    + " 1}";

    private final ReconcilerHarness harness = new ReconcilerHarness();
    private final ScriptedServers.Script script = harness.servers.script("git-mcp");

    @AfterEach
    void close() throws InterruptedException {
        harness.close();
    }

    private void applyAndSettle(String spec) throws InterruptedException {
        harness.apply(Manifests.server("default", "git", spec));
        harness.reconcileUntilSteady(KEY);
    }

    private void change(String spec) throws InterruptedException {
        harness.store.update(McpServer.KIND, Manifests.respecified(harness.server(KEY), spec));
    }

    private Condition condition(String type) {
        return Conditions.find(harness.server(KEY).status().conditions(), type).orElseThrow();
    }

    private void assertCondition(String type, Condition.Status status, String reason) {
        assertThat(condition(type))
                .as(type)
                .satisfies(
                        c -> {
                            assertThat(c.status()).isEqualTo(status);
                            assertThat(c.reason()).isEqualTo(reason);
                        });
    }

    @Test
    void appliedServerBecomesReadyWithAToolForEachTool() throws InterruptedException {
        script.offer("log", "create_issue");

        applyAndSettle(STDIO);

        McpServer.Status status = harness.server(KEY).status();
        assertThat(status.phase()).isEqualTo(McpServer.Phase.READY);
        assertThat(status.observedGeneration()).isEqualTo(1);
        assertThat(status.discoveredTools()).containsExactly("create_issue", "log");
        assertThat(status.generatedTools()).containsExactly("git--create-issue", "git--log");
        assertThat(status.lastSyncedAt()).isEqualTo(harness.clock.instant());
        assertThat(status.lastError()).isEmpty();
        assertThat(status.protocolVersion()).isEqualTo("2025-06-18");
        assertThat(status.serverInfo())
                .isEqualTo(Json.MAPPER.readTree("{\"name\": \"scripted\", \"version\": \"1.0\"}"));
        for (String type : List.of("Accepted", "Connected", "ToolsSynced", "Ready")) {
            assertThat(condition(type).status()).as(type).isEqualTo(Condition.Status.TRUE);
        }
        assertThat(harness.server(KEY).metadata().finalizers())
                .containsExactly(McpServerReconciler.FINALIZER);
        Tool tool = harness.store.get(Tool.KIND, new ResourceKey("default", "git--create-issue"));
        assertThat(tool.spec().mcpToolName()).isEqualTo("create_issue");
        assertThat(tool.spec().agentName()).isEqualTo("git__create_issue");
        assertThat(tool.metadata().labels())
                .containsEntry("orloj.dev/mcp-server", "git")
                .containsEntry("orloj.dev/mcp-generated", "true");
        assertThat(tool.metadata().controller().orElseThrow().uid())
                .isEqualTo(harness.server(KEY).metadata().uid());
        assertThat(harness.eventReasons()).containsExactly("Connected", "ToolsSynced");
    }

    @Test
    void secondLookWritesNothing() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        long before = harness.store.head().value();
        int writes = harness.client.writes();

        harness.reconcile(KEY);
        harness.clock.advance(Duration.ofMinutes(6));
        harness.reconcile(KEY);

        assertThat(harness.store.head().value()).isEqualTo(before);
        assertThat(harness.client.writes()).isEqualTo(writes);
        assertThat(script.requests("tools/list")).isEqualTo(2);
    }

    @Test
    void liveServerIsLookedAtAgainAfterThePeriodWithJitter() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);

        Result result = harness.reconcile(KEY);

        assertThat(result)
                .isInstanceOfSatisfying(
                        Result.RequeueAfter.class,
                        again ->
                                assertThat(again.delay())
                                        .isBetween(Duration.ofSeconds(270), Duration.ofMinutes(5)));
    }

    /** D-01: a server that is Ready is synced again all the same. */
    @Test
    void newChangedAndRemovedToolsAreNoticedAfterReady() throws InterruptedException {
        script.offer("stays", "goes");
        applyAndSettle(STDIO);
        script.offer("stays", "comes");

        script.announceChange();
        harness.reconcileUntilSteady(KEY);

        assertThat(harness.toolNames()).containsExactly("git--comes", "git--stays");
        assertThat(harness.server(KEY).status().generatedTools())
                .containsExactly("git--comes", "git--stays");
    }

    @Test
    void lastSyncedAtMovesOnlyWhenSomethingChanged() throws InterruptedException {
        script.offer("a");
        applyAndSettle(STDIO);
        Instant first = harness.server(KEY).status().lastSyncedAt();
        harness.clock.advance(Duration.ofMinutes(10));
        harness.reconcileUntilSteady(KEY);
        assertThat(harness.server(KEY).status().lastSyncedAt()).isEqualTo(first);

        harness.clock.advance(Duration.ofMinutes(10));
        change(STDIO + ", \"timeout\": \"5s\"");
        harness.reconcileUntilSteady(KEY);

        assertThat(harness.server(KEY).status().lastSyncedAt()).isEqualTo(harness.clock.instant());
        assertThat(harness.server(KEY).status().observedGeneration()).isEqualTo(2);
    }

    @Test
    void filterIsTrimmedAndToldWhatIsNotOffered() throws InterruptedException {
        script.offer("log", "diff");

        applyAndSettle(STDIO + ", \"tool_filter\": {\"include\": [\" log \", \"\", \"blame\"]}");

        assertThat(harness.toolNames()).containsExactly("git--log");
        assertThat(harness.server(KEY).status().discoveredTools()).containsExactly("diff", "log");
        assertThat(condition("ToolsSynced").message()).contains("\"blame\"");
    }

    @Test
    void filteredOutToolIsCollected() throws InterruptedException {
        script.offer("log", "diff");
        applyAndSettle(STDIO);

        change(STDIO + ", \"tool_filter\": {\"include\": [\"log\"]}");
        harness.reconcileUntilSteady(KEY);

        assertThat(harness.toolNames()).containsExactly("git--log");
        await().until(() -> script.live() == 1);
    }

    /** D-04: what a server of another namespace owns is left alone. */
    @Test
    void toolsOfANamesakeInAnotherNamespaceAreLeftAlone() throws InterruptedException {
        ResourceKey namesake = new ResourceKey("team-b", "git");
        script.offer("log", "diff");
        applyAndSettle(STDIO);
        harness.apply(Manifests.server("team-b", "git", STDIO));
        harness.reconcileUntilSteady(namesake);
        script.offer("log");

        script.announceChange();
        harness.reconcileUntilSteady(KEY);
        harness.delete(KEY);
        harness.reconcileUntilSteady(KEY);

        assertThat(harness.all(Tool.KIND))
                .extracting(tool -> tool.key().toString())
                .containsExactly("team-b/git--diff", "team-b/git--log");
    }

    @Test
    void toolDeletedByHandComesBack() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        long changes = harness.changes(KEY);

        harness.store.delete(
                Tool.KIND, new ResourceKey("default", "git--log"), DeleteOptions.UNCONDITIONAL);
        await().until(() -> harness.changes(KEY) > changes);
        harness.reconcileUntilSteady(KEY);

        assertThat(harness.toolNames()).containsExactly("git--log");
    }

    @Test
    void changedManifestOpensANewSessionAndDrainsTheOld() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);

        change(STDIO + ", \"args\": [\"--verbose\"]");
        harness.reconcileUntilSteady(KEY);

        await().until(() -> script.live() == 1);
        assertThat(script.opened()).hasSize(2);
        assertThat(((ServerAddress.Stdio) script.opened().getLast()).command())
                .containsExactly("git-mcp", "--verbose");
    }

    @Test
    void deletedServerLeavesNoSessionAndNoTool() throws InterruptedException {
        script.offer("log", "diff");
        applyAndSettle(STDIO);

        harness.delete(KEY);
        harness.reconcileUntilSteady(KEY);

        assertThat(harness.store.find(McpServer.KIND, KEY)).isEmpty();
        assertThat(harness.toolNames()).isEmpty();
        assertThat(script.live()).isZero();
        assertThat(harness.sessions().sessions()).isEmpty();
        assertThat(harness.eventReasons()).contains("Deleted");
    }

    @Test
    void recreatedServerTakesTheToolsOfItsPredecessorOverWithTheirNames()
            throws InterruptedException {
        script.offer("a_b", "a+b");
        applyAndSettle(STDIO);
        List<String> names = harness.toolNames();
        McpServer server = harness.server(KEY);
        harness.store.update(
                McpServer.KIND,
                server.withMetadata(
                        server.metadata().withoutFinalizer(McpServerReconciler.FINALIZER)));
        harness.delete(KEY);

        applyAndSettle(STDIO);

        assertThat(harness.toolNames()).isEqualTo(names);
        assertThat(harness.all(Tool.KIND))
                .allSatisfy(
                        tool ->
                                assertThat(tool.metadata().ownerReferences())
                                        .extracting(owner -> owner.uid())
                                        .containsExactly(harness.server(KEY).metadata().uid()));
    }

    @Test
    void unreachableServerIsAnErrorThatIsTriedAgain() throws InterruptedException {
        script.refuseToOpen("no such program");
        harness.apply(Manifests.server("default", "git", STDIO));

        assertThatThrownBy(() -> harness.reconcile(KEY)).isInstanceOf(RetryException.class);

        harness.assertPhase(KEY, McpServer.Phase.ERROR);
        assertCondition("Connected", Condition.Status.FALSE, "ConnectFailed");
        assertCondition("Ready", Condition.Status.FALSE, "ConnectFailed");
        assertThat(harness.server(KEY).status().lastError()).contains("no such program");
        long before = harness.store.head().value();
        assertThatThrownBy(() -> harness.reconcile(KEY)).isInstanceOf(RetryException.class);
        assertThat(harness.store.head().value()).as("told once").isEqualTo(before);

        script.refuseToOpen(null);
        script.offer("log");
        harness.reconcileUntilSteady(KEY);
        harness.assertPhase(KEY, McpServer.Phase.READY);
    }

    /** D-05: as often as the manifest says, no more and no less. */
    @Test
    void reconnectSaysHowOftenOpeningIsTried() throws InterruptedException {
        script.refuseToOpen("no such program");
        harness.apply(
                Manifests.server(
                        "default",
                        "git",
                        "\"transport\": \"stdio\", \"command\": \"git-mcp\", \"reconnect\":"
                                + " {\"max_attempts\": 4, \"backoff\": \"1ms\"}"));

        assertThatThrownBy(() -> harness.reconcile(KEY)).isInstanceOf(RetryException.class);

        assertThat(condition("Connected").message()).contains("in 4 attempts");
    }

    @Test
    void deadSessionIsReopenedAndItsEndTold() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);

        script.die("exit code 3");
        await().until(() -> harness.ending(KEY).isPresent());
        harness.reconcileUntilSteady(KEY);

        harness.assertPhase(KEY, McpServer.Phase.READY);
        assertThat(script.live()).isEqualTo(1);
        assertThat(harness.all(Event.KIND))
                .anySatisfy(
                        event -> {
                            assertThat(event.reason()).isEqualTo("Disconnected");
                            assertThat(event.type()).isEqualTo(Event.WARNING);
                            assertThat(event.message())
                                    .contains("exit code 3", "last words of exit code 3");
                        });
    }

    @Test
    void crashLoopIsAConditionWithAWaitThatGrows() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        script.die("exit code 3");
        await().until(() -> harness.ending(KEY).isPresent());
        harness.reconcileUntilSteady(KEY);

        script.die("exit code 3");
        await().until(() -> harness.ending(KEY).isPresent());
        Result result = harness.reconcile(KEY);

        assertThat(result).isInstanceOf(Result.RequeueAfter.class);
        assertCondition("Connected", Condition.Status.FALSE, "CrashLoop");
        assertThat(condition("Ready").message()).contains("2 times", "last words of exit code 3");
        harness.assertPhase(KEY, McpServer.Phase.ERROR);
        assertThat(script.live()).isZero();

        harness.clock.advance(Duration.ofSeconds(2));
        harness.reconcileUntilSteady(KEY);
        harness.assertPhase(KEY, McpServer.Phase.READY);
    }

    @Test
    void repairedManifestDoesNotWaitForTheCrashLoopOfTheBrokenOne() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        for (int death = 0; death < 2; death++) {
            script.die("exit code 3");
            await().until(() -> harness.ending(KEY).isPresent());
            harness.reconcile(KEY);
        }
        assertCondition("Connected", Condition.Status.FALSE, "CrashLoop");

        change(STDIO + ", \"args\": [\"--repaired\"]");
        harness.reconcileUntilSteady(KEY);

        harness.assertPhase(KEY, McpServer.Phase.READY);
    }

    @Test
    void idleServerSleepsAndIsNotWokenByThePeriod() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO + ", \"idle_timeout\": \"20ms\"");
        await().until(() -> script.live() == 0 && harness.ending(KEY).isPresent());

        Result result = harness.reconcile(KEY);
        harness.clock.advance(Duration.ofHours(1));
        harness.reconcileUntilSteady(KEY);

        assertThat(result).isEqualTo(Result.DONE);
        assertThat(script.opened()).hasSize(1);
        assertCondition("Connected", Condition.Status.FALSE, "Idle");
        assertCondition("Ready", Condition.Status.TRUE, "Idle");
        harness.assertPhase(KEY, McpServer.Phase.READY);
        assertThat(harness.toolNames()).containsExactly("git--log");
    }

    @Test
    void sleepingServerIsNotWokenByARestart() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO + ", \"idle_timeout\": \"20ms\"");
        await().until(() -> script.live() == 0 && harness.ending(KEY).isPresent());
        harness.reconcileUntilSteady(KEY);

        harness.restart();
        harness.reconcileUntilSteady(KEY);

        assertThat(script.opened()).hasSize(1);
        assertCondition("Ready", Condition.Status.TRUE, "Idle");
    }

    @Test
    void serverThatNeverSleepsIsConnectedAfterARestart() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);

        harness.restart();
        harness.reconcileUntilSteady(KEY);

        assertThat(script.live()).isEqualTo(1);
        harness.assertPhase(KEY, McpServer.Phase.READY);
    }

    @Test
    void sessionOpenedByACallIsListedAgain() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO + ", \"idle_timeout\": \"500ms\"");
        await().until(() -> script.live() == 0 && harness.ending(KEY).isPresent());
        harness.reconcileUntilSteady(KEY);
        script.offer("log", "new");

        harness.openSession(KEY);
        harness.reconcile(KEY);

        assertThat(harness.toolNames()).containsExactly("git--log", "git--new");
        assertThat(script.opened()).hasSize(2);
    }

    @Test
    void missingSecretIsAConditionUntilItIsThere() throws InterruptedException {
        script.offer("log");
        String spec = STDIO + ", \"env\": [{\"name\": \"TOKEN\", \"secretRef\": \"creds/token\"}]";
        applyAndSettle(spec);
        assertCondition("Accepted", Condition.Status.FALSE, "SecretNotFound");
        assertThat(condition("Ready").message()).contains("\"creds\"");
        assertThat(script.opened()).isEmpty();

        Secret wrong =
                harness.store.create(
                        Secret.KIND, Manifests.secret("default", "creds", "other", "x"));
        harness.reconcileUntilSteady(KEY);
        assertCondition("Accepted", Condition.Status.FALSE, "SecretKeyNotFound");
        assertThat(condition("Ready").message()).contains("\"creds\"", "\"token\"");

        harness.store.delete(Secret.KIND, wrong.key(), DeleteOptions.UNCONDITIONAL);
        harness.store.create(
                Secret.KIND, Manifests.secret("default", "creds", "token", "s3cret-value"));
        harness.reconcileUntilSteady(KEY);

        harness.assertPhase(KEY, McpServer.Phase.READY);
        assertThat(((ServerAddress.Stdio) script.opened().getFirst()).env())
                .containsEntry("TOKEN", "s3cret-value");
        assertThat(harness.eventReasons()).contains("SecretNotFound", "SecretKeyNotFound");
    }

    /** D-06: a rotated secret reaches the server with a new session. */
    @Test
    void rotatedSecretOpensANewSession() throws InterruptedException {
        script.offer("log");
        Secret secret =
                harness.store.create(
                        Secret.KIND, Manifests.secret("default", "creds", "token", "old-value"));
        applyAndSettle(STDIO + ", \"env\": [{\"name\": \"TOKEN\", \"secretRef\": \"creds\"}]");

        harness.store.update(
                Secret.KIND,
                Manifests.secret("default", "creds", "token", "new-value")
                        .withMetadata(secret.metadata()));
        harness.reconcileUntilSteady(KEY);

        await().until(() -> script.live() == 1);
        assertThat(script.opened())
                .extracting(address -> ((ServerAddress.Stdio) address).env().get("TOKEN"))
                .containsExactly("old-value", "new-value");
        harness.assertPhase(KEY, McpServer.Phase.READY);
    }

    @Test
    void secretsAreKeptOutOfMessages() throws InterruptedException {
        harness.store.create(
                Secret.KIND, Manifests.secret("default", "creds", "token", "s3cret-value"));
        script.refuseToOpen("bad token s3cret-value\nfor user.");
        harness.apply(
                Manifests.server(
                        "default",
                        "git",
                        STDIO + ", \"env\": [{\"name\": \"TOKEN\", \"secretRef\": \"creds\"}]"));

        assertThatThrownBy(() -> harness.reconcile(KEY)).isInstanceOf(RetryException.class);

        assertThat(harness.server(KEY).status().lastError())
                .contains("bad token *** for user")
                .doesNotContain("s3cret-value");
    }

    @Test
    void imageIsRefusedWithAClearConditionAndNotTriedAgain() throws InterruptedException {
        applyAndSettle("\"transport\": \"stdio\", \"image\": \"ghcr.io/acme/git:1\"");

        assertCondition("Accepted", Condition.Status.FALSE, "ContainersNotSupported");
        harness.assertPhase(KEY, McpServer.Phase.ERROR);
        assertThat(harness.reconcile(KEY)).isEqualTo(Result.DONE);
    }

    @Test
    void serverThatCannotListIsAnErrorWithItsCause() throws InterruptedException {
        script.refuseToList("database is down");
        harness.apply(Manifests.server("default", "git", STDIO));

        assertThatThrownBy(() -> harness.reconcile(KEY)).isInstanceOf(RetryException.class);

        assertCondition("ToolsSynced", Condition.Status.FALSE, "ListFailed");
        assertCondition("Connected", Condition.Status.TRUE, "SessionOpen");
        assertThat(harness.server(KEY).status().lastError()).contains("database is down");
        script.refuseToList(null);
        harness.reconcileUntilSteady(KEY);
        harness.assertPhase(KEY, McpServer.Phase.READY);
    }

    @Test
    void changesOfOthersOnGeneratedToolsThatTheServerSaysNothingAboutStay()
            throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        ResourceKey key = new ResourceKey("default", "git--log");
        Tool tool = harness.store.get(Tool.KIND, key);
        harness.store.update(
                Tool.KIND,
                tool.withMetadata(tool.metadata().withLabels(java.util.Map.of("team", "blue"))));

        harness.clock.advance(Duration.ofMinutes(6));
        harness.reconcileUntilSteady(KEY);

        assertThat(harness.store.get(Tool.KIND, key).metadata().labels())
                .containsEntry("team", "blue")
                .containsEntry("orloj.dev/mcp-server", "git");
    }
}
