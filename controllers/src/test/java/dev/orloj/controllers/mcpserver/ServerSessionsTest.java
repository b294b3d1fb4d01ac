package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Condition;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Event;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.controllers.control.Result;
import dev.orloj.runtime.transport.ServerAddress;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** When a server is connected, and what its status says of it. */
class ServerSessionsTest extends GitServerScenario {

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
    void sessionFromBeforeAChangeThatDoesNotWorkGoesOn() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        script.refuseToOpen("no such option");

        change(STDIO + ", \"args\": [\"--verbos\"]");
        harness.reconcile(KEY);

        assertCondition("Connected", Condition.Status.FALSE, "ConnectFailed");
        assertThat(condition("Connected").message())
                .contains("no such option")
                .endsWith("; calls are served as before this change, of generation 1");
        assertThat(script.live()).isEqualTo(1);
        assertCondition("Ready", Condition.Status.TRUE, "ServedAsBefore");
        assertThat(condition("Ready").observedGeneration()).as("the one that serves").isEqualTo(1);
        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
        assertThat(harness.server(KEY).status().lastError()).contains("no such option");
        long reported = harness.store.head().value();
        harness.reconcile(KEY);
        assertThat(harness.store.head().value()).as("reported once").isEqualTo(reported);

        script.refuseToOpen(null);
        harness.clock.advance(Duration.ofMinutes(6));
        harness.reconcileUntilSteady(KEY);
        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
        assertCondition("Ready", Condition.Status.TRUE, "SessionOpen");
        assertThat(condition("Ready").observedGeneration()).isEqualTo(2);
        await().until(() -> script.live() == 1);
    }

    @Test
    void sessionFromBeforeAChangeIsNotReadyAnyMoreWhenItDies() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        script.refuseToOpen("no such option");
        change(STDIO + ", \"args\": [\"--verbos\"]");
        harness.reconcile(KEY);

        script.die("exit code 3");
        await().until(() -> harness.ending(KEY).isPresent());
        harness.reconcile(KEY);

        assertCondition("Ready", Condition.Status.FALSE, "ConnectFailed");
        harness.assertPhase(KEY, McpServerStatus.Phase.ERROR);
    }

    @Test
    void editOfWhatTheConnectionDoesNotDependOnKeepsTheSession() throws InterruptedException {
        script.offer("log", "show");
        applyAndSettle(STDIO);
        String session = harness.sessions().liveSession(KEY).orElseThrow().toString();

        change(
                STDIO
                        + ", \"timeout\": \"7s\", \"max_calls\": 9, \"max_queued_calls\": 0,"
                        + " \"tool_filter\": {\"include\": [\"show\"]}");
        harness.reconcileUntilSteady(KEY);

        assertThat(harness.sessions().liveSession(KEY).orElseThrow().toString()).isEqualTo(session);
        assertThat(script.opened()).hasSize(1);
        assertThat(harness.toolNames()).containsExactly("git--show");
        assertThat(harness.server(KEY).status().observedGeneration()).isEqualTo(2);
        assertThat(condition("Ready").observedGeneration()).isEqualTo(2);
    }

    @Test
    void restartReplacesTheSessionOfAnUnchangedManifest() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);

        McpServer server = harness.server(KEY);
        harness.store.update(
                McpServer.KIND,
                server.withMetadata(
                        server.metadata()
                                .withAnnotations(
                                        Map.of(McpServer.RESTARTED_AT, "2026-11-21T07:00:00Z"))));
        harness.reconcileUntilSteady(KEY);

        await().until(() -> script.live() == 1);
        assertThat(script.opened()).hasSize(2);
        assertThat(harness.server(KEY).metadata().generation()).isEqualTo(1);
        assertThat(harness.server(KEY).status().observedRestart())
                .isEqualTo("2026-11-21T07:00:00Z");
        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
    }

    @Test
    void unreachableServerIsAnErrorThatIsTriedAgain() throws InterruptedException {
        script.refuseToOpen("no such program");
        harness.apply(Manifests.server("default", "git", STDIO));

        harness.reconcile(KEY);

        harness.assertPhase(KEY, McpServerStatus.Phase.ERROR);
        assertCondition("Connected", Condition.Status.FALSE, "ConnectFailed");
        assertCondition("Ready", Condition.Status.FALSE, "ConnectFailed");
        assertThat(harness.server(KEY).status().lastError()).contains("no such program");
        long before = harness.store.head().value();
        harness.reconcile(KEY);
        assertThat(harness.store.head().value()).as("reported once").isEqualTo(before);

        script.refuseToOpen(null);
        script.offer("log");
        harness.clock.advance(Duration.ofMinutes(6));
        harness.reconcileUntilSteady(KEY);
        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
    }

    private void applyReconnecting(int attempts, String backoff) {
        harness.apply(
                Manifests.server(
                        "default",
                        "git",
                        """
                        "transport": "stdio", "command": "git-mcp",
                        "reconnect": {"max_attempts": %d, "backoff": "%s"}\
                        """
                                .formatted(attempts, backoff)));
    }

    /** D-05: as often as the manifest says, no more and no less. */
    @Test
    void reconnectSaysHowOftenOpeningIsTried() throws InterruptedException {
        script.refuseToOpen("no such program");
        applyReconnecting(4, "1ms");

        harness.reconcile(KEY);

        assertThat(condition("Connected").message()).contains("in 4 attempts");
    }

    /** A user who mistyped a command need not wait for the last attempt to find out. */
    @Test
    void firstFailedAttemptIsReportedWhileTheNextIsAwaited() throws InterruptedException {
        script.refuseToOpen("no such program");
        applyReconnecting(3, "1h");
        harness.look(KEY);

        await().until(() -> harness.isEnqueued(KEY));
        harness.look(KEY);

        assertCondition("Connected", Condition.Status.FALSE, "Connecting");
        assertThat(condition("Connected").message())
                .startsWith("A session is being opened, since 20")
                .contains("attempt 1 of 3 failed: no such program");
        assertThat(harness.server(KEY).status().lastError()).contains("no such program");
    }

    @Test
    void deadSessionIsReopenedAndItsEndReported() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);

        script.die("exit code 3");
        await().until(() -> harness.ending(KEY).isPresent());
        harness.reconcileUntilSteady(KEY);

        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
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
    void statusKeepsWhatFailedAndIsWrittenForNothingElse() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        assertThat(harness.server(KEY).status().sessions()).isNull();

        script.die("exit code 3");
        await().until(() -> harness.ending(KEY).isPresent());
        harness.reconcileUntilSteady(KEY);

        McpServerStatus.Sessions reported = harness.server(KEY).status().sessions();
        assertThat(reported).isNotNull();
        assertThat(reported.restarts()).isEqualTo(1);
        assertThat(reported.replica()).isEqualTo("replica-1");
        assertThat(reported.lastFailure().message()).isEqualTo("exit code 3");

        harness.restart();
        harness.reconcileUntilSteady(KEY);
        assertThat(harness.server(KEY).status().sessions())
                .as("after a restart")
                .isEqualTo(reported);
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
        harness.assertPhase(KEY, McpServerStatus.Phase.ERROR);
        assertThat(script.live()).isZero();

        harness.clock.advance(Duration.ofSeconds(2));
        harness.reconcileUntilSteady(KEY);
        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
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

        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
    }

    @Test
    void idleServerSleepsAndIsNotWokenByThePeriod() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO + ", \"idle_timeout\": \"20ms\"");
        awaitSleep();
        int opened = script.opened().size();

        Result result = harness.reconcile(KEY);
        harness.clock.advance(Duration.ofHours(1));
        harness.reconcileUntilSteady(KEY);

        assertThat(result).isEqualTo(Result.DONE);
        assertThat(script.opened()).hasSize(opened);
        assertCondition("Connected", Condition.Status.FALSE, "Idle");
        assertCondition("Ready", Condition.Status.TRUE, "Idle");
        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
        assertThat(harness.toolNames()).containsExactly("git--log");
    }

    @Test
    void sleepingServerIsNotWokenByARestart() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO + ", \"idle_timeout\": \"20ms\"");
        awaitSleep();
        int opened = script.opened().size();

        harness.restart();
        harness.reconcileUntilSteady(KEY);

        assertThat(script.opened()).hasSize(opened);
        assertCondition("Ready", Condition.Status.TRUE, "Idle");
    }

    /** On a slow machine, a session may be idle before its tools are listed, and another opens. */
    private void awaitSleep() {
        await().until(
                        () -> {
                            harness.reconcileUntilSteady(KEY);
                            return script.live() == 0
                                    && condition("Connected").reason().equals("Idle");
                        });
    }

    @Test
    void serverThatNeverSleepsIsConnectedAfterARestart() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);

        harness.restart();
        harness.reconcileUntilSteady(KEY);

        assertThat(script.live()).isEqualTo(1);
        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
    }

    @Test
    void sessionOpenedByACallIsListedAgain() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO + ", \"lifecycle\": \"on_demand\"");
        harness.sessions().dismiss(KEY);
        await().until(() -> harness.sessions().isGone(KEY) && harness.ending(KEY).isPresent());
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

        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
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
        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
    }

    @Test
    void configMapThatIsMissingIsNamedAndOneThatChangesOpensANewSession()
            throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO + ", \"env_from\": [{\"configMapRef\": {\"name\": \"settings\"}}]");
        assertCondition("Accepted", Condition.Status.FALSE, "ConfigMapNotFound");
        assertThat(condition("Ready").message()).contains("\"settings\"");

        ConfigMap created =
                harness.store.create(
                        ConfigMap.KIND, Manifests.configMap("default", "settings", "MODE", "old"));
        harness.reconcileUntilSteady(KEY);
        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
        harness.store.update(
                ConfigMap.KIND,
                Manifests.configMap("default", "settings", "MODE", "new")
                        .withMetadata(created.metadata()));
        harness.reconcileUntilSteady(KEY);

        await().until(() -> script.live() == 1);
        assertThat(script.opened())
                .extracting(address -> ((ServerAddress.Stdio) address).env().get("MODE"))
                .containsExactly("old", "new");
    }

    @Test
    void keysThatAreNoNamesOfVariablesAreReportedOnce() throws InterruptedException {
        script.offer("log");
        harness.store.create(
                ConfigMap.KIND, Manifests.configMap("default", "settings", "1st", "x"));

        applyAndSettle(STDIO + ", \"env_from\": [{\"configMapRef\": {\"name\": \"settings\"}}]");

        assertThat(harness.all(Event.KIND))
                .filteredOn(e -> e.reason().equals("InvalidEnvironmentVariableNames"))
                .singleElement()
                .satisfies(e -> assertThat(e.message()).contains("1st").doesNotContain("x\""));
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

        harness.reconcile(KEY);

        assertThat(harness.server(KEY).status().lastError())
                .contains("bad token *** for user")
                .doesNotContain("s3cret-value");
    }

    @ParameterizedTest
    @CsvSource({
        "'\"suspend\": true', spec.suspend is true",
        "'\"replicas\": 0', spec.replicas is 0"
    })
    void suspendedServerHasNoSessionAndKeepsItsTools(String field, String why)
            throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);

        change(STDIO + ", " + field);
        harness.reconcileUntilSteady(KEY);

        await().until(() -> script.live() == 0);
        harness.assertPhase(KEY, McpServerStatus.Phase.SUSPENDED);
        assertCondition("Ready", Condition.Status.FALSE, "Suspended");
        assertThat(condition("Ready").message()).contains(why);
        assertThat(harness.toolNames()).containsExactly("git--log");
        assertThat(harness.server(KEY).status().discoveredTools()).containsExactly("log");
        assertThat(harness.eventReasons()).contains("Suspended");

        change(STDIO + ", \"suspend\": false, \"replicas\": 1");
        harness.reconcileUntilSteady(KEY);

        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
        assertThat(script.live()).isEqualTo(1);
    }

    @Test
    void conditionsThatAnotherClientRemovesAreWrittenAgain() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        change(STDIO + ", \"suspend\": true");
        harness.reconcileUntilSteady(KEY);

        McpServerStatus emptied =
                harness.server(KEY).status().toBuilder().conditions(List.of()).build();
        harness.store.updateStatus(McpServer.KIND, harness.server(KEY).withStatus(emptied));

        await().until(() -> harness.isEnqueued(KEY));
        harness.reconcileUntilSteady(KEY);
        harness.assertPhase(KEY, McpServerStatus.Phase.SUSPENDED);
        assertCondition("Ready", Condition.Status.FALSE, "Suspended");
    }

    @Test
    void statusThatAnotherClientEmptiesIsWrittenAgain() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        change(STDIO + ", \"suspend\": true");
        harness.reconcileUntilSteady(KEY);

        harness.store.updateStatus(
                McpServer.KIND, harness.server(KEY).withStatus(McpServerStatus.EMPTY));

        await().until(() -> harness.isEnqueued(KEY));
        harness.reconcileUntilSteady(KEY);
        harness.assertPhase(KEY, McpServerStatus.Phase.SUSPENDED);
        assertThat(harness.server(KEY).status().observedGeneration()).isEqualTo(2);
        assertCondition("Ready", Condition.Status.FALSE, "Suspended");
    }

    @Test
    void serverThatIsBornSuspendedIsNeverStarted() throws InterruptedException {
        applyAndSettle(STDIO + ", \"suspend\": true");

        assertThat(script.opened()).isEmpty();
        assertCondition("ToolsSynced", Condition.Status.UNKNOWN, "NotSyncedYet");
    }

    @Test
    void imageIsRunInAContainer() throws InterruptedException {
        ScriptedServers.Script container = harness.servers.script("ghcr.io/acme/git:1");
        container.offer("log");
        applyAndSettle("\"transport\": \"stdio\", \"image\": \"ghcr.io/acme/git:1\"");

        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
        assertThat(container.opened()).singleElement().isInstanceOf(ServerAddress.Container.class);
        assertThat(script.opened()).isEmpty();
    }
}
