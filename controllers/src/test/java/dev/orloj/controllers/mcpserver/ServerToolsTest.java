package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ApiException;
import dev.orloj.api.Condition;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.GoDuration;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.testing.FaultyClient.Verb;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.mcpserver.tools.ToolListings;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** What becomes of the tools of a server. */
class ServerToolsTest extends GitServerScenario {

    @Test
    void appliedServerBecomesReadyWithAToolForEachTool() throws InterruptedException {
        script.offer("log", "create_issue");

        applyAndSettle(STDIO);

        McpServerStatus status = harness.server(KEY).status();
        assertThat(status.phase()).isEqualTo(McpServerStatus.Phase.READY);
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
                .containsExactly(McpServer.FINALIZER);
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

    /** Each change is listed at once, a stream of changes is not (H-01 and its like). */
    @Test
    void serverThatKeepsChangingIsAskedOnceAnInterval() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        Duration step = Duration.ofMillis(337); // no wait is one that the harness waits for

        for (Duration t = Duration.ZERO; t.toMinutes() < 5; t = t.plus(step)) {
            script.announceChange();
            harness.clock.advance(step);
            harness.reconcileUntilSteady(KEY);
        }

        long intervals = Duration.ofMinutes(5).dividedBy(ToolListings.INTERVAL);
        assertThat(script.requests("tools/list"))
                .isBetween(intervals, intervals + ToolListings.BURST);
        script.offer("log", "late");
        script.announceChange();
        harness.clock.advance(ToolListings.INTERVAL);
        harness.reconcileUntilSteady(KEY);
        assertThat(harness.server(KEY).status().discoveredTools()).contains("late");
    }

    @Test
    void changeThatIsAnnouncedDuringAListingIsListed() throws InterruptedException {
        script.offer("log");
        CountDownLatch hanging = script.hangWhenListed();
        harness.apply(Manifests.server("default", "git", STDIO));
        await().until(
                        () -> {
                            harness.look(KEY);
                            return script.requests("tools/list") == 1;
                        });

        script.announceChange();
        hanging.countDown();
        harness.reconcileUntilSteady(KEY);

        assertThat(script.requests("tools/list")).isEqualTo(2);
    }

    @Test
    void secondLookWritesNothing() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        long before = harness.store.head().value();
        int writes = harness.client.writes();

        harness.reconcile(KEY);

        assertThat(harness.store.head().value()).isEqualTo(before);
        assertThat(harness.client.writes()).isEqualTo(writes);

        harness.clock.advance(Duration.ofMinutes(6));
        harness.reconcile(KEY);

        assertThat(harness.client.writes()).as("lastSyncedAt").isEqualTo(writes + 1);
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

    /** H-20. */
    @Test
    void lastSyncedAtIsTheLastSyncThatSucceeded() throws InterruptedException {
        script.offer("a");
        applyAndSettle(STDIO);
        assertThat(lastSyncedAt()).isEqualTo(harness.clock.instant());

        harness.clock.advance(Duration.ofMinutes(10));
        harness.reconcileUntilSteady(KEY);
        Instant unchanged = harness.clock.instant();
        assertThat(lastSyncedAt()).as("nothing had changed").isEqualTo(unchanged);

        script.refuseToList("database is down");
        harness.clock.advance(Duration.ofMinutes(10));
        harness.reconcileUntilSteady(KEY);
        assertThat(lastSyncedAt()).as("no success").isEqualTo(unchanged);

        script.refuseToList(null);
        change(STDIO + ", \"timeout\": \"5s\"");
        harness.reconcileUntilSteady(KEY);
        assertThat(lastSyncedAt()).isEqualTo(harness.clock.instant());
        assertThat(harness.server(KEY).status().observedGeneration()).isEqualTo(2);
    }

    private Instant lastSyncedAt() {
        return harness.server(KEY).status().lastSyncedAt();
    }

    @Test
    void filterIsTrimmedAndReportsWhatIsNotOffered() throws InterruptedException {
        script.offer("log", "diff");

        applyAndSettle(STDIO + ", \"tool_filter\": {\"include\": [\" log \", \"\", \"blame\"]}");

        assertThat(harness.toolNames()).containsExactly("git--log");
        assertThat(harness.server(KEY).status().discoveredTools()).containsExactly("diff", "log");
        assertThat(condition("ToolsSynced").message()).contains("\"blame\"");
    }

    /** H-24. */
    @Test
    void excludedToolsAreNotOfferedWhateverIncludesThem() throws InterruptedException {
        script.offer("log", "diff", "delete-branch", "delete-tag");

        applyAndSettle(STDIO + ", \"tool_filter\": {\"exclude\": [\"delete-*\", \"drop\"]}");

        assertThat(harness.toolNames()).containsExactlyInAnyOrder("git--log", "git--diff");
        assertThat(condition("ToolsSynced").message())
                .contains("tool_filter names what it does not offer: \"drop\"");

        change(STDIO + ", \"tool_filter\": {\"include\": [\"d*\"], \"exclude\": [\"delete-t??\"]}");
        harness.reconcileUntilSteady(KEY);

        assertThat(harness.toolNames())
                .containsExactlyInAnyOrder("git--diff", "git--delete-branch");
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
    void toolOfASleepingServerThatIsDeletedByHandComesBack() throws InterruptedException {
        script.offer("log", "diff");
        applyAndSettle(STDIO + ", \"idle_timeout\": \"20ms\"");
        await().until(() -> harness.sessions().sessions().isEmpty());
        harness.reconcileUntilSteady(KEY);
        long changes = harness.changes(KEY);

        harness.store.delete(
                Tool.KIND, new ResourceKey("default", "git--log"), DeleteOptions.UNCONDITIONAL);
        await().until(() -> harness.changes(KEY) > changes);
        harness.reconcileUntilSteady(KEY);

        assertThat(harness.toolNames()).containsExactly("git--diff", "git--log");
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
                server.withMetadata(server.metadata().withoutFinalizer(McpServer.FINALIZER)));
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
    void serverThatCannotListIsAnErrorWithItsCause() throws InterruptedException {
        script.refuseToList("database is down");
        harness.apply(Manifests.server("default", "git", STDIO));

        harness.reconcile(KEY);

        assertCondition("ToolsSynced", Condition.Status.FALSE, "ListFailed");
        assertCondition("Connected", Condition.Status.TRUE, "SessionOpen");
        assertThat(harness.server(KEY).status().lastError()).contains("database is down");
        script.refuseToList(null);
        harness.clock.advance(Duration.ofSeconds(2));
        harness.reconcileUntilSteady(KEY);
        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
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

    @Test
    void limitsOfAGeneratedToolStayWhenItsDefinitionChanges() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        ResourceKey key = new ResourceKey("default", "git--log");
        ObjectNode edited = Json.MAPPER.valueToTree(harness.store.get(Tool.KIND, key));
        ((ObjectNode) edited.path("spec"))
                .put("timeout", "5m")
                .put("max_output_bytes", 4096)
                .put("max_output_tokens", 1000)
                .put("description", "mine");
        harness.store.update(Tool.KIND, Json.MAPPER.treeToValue(edited, Tool.class));

        harness.clock.advance(Duration.ofMinutes(6));
        harness.reconcileUntilSteady(KEY);

        Tool.Spec spec = harness.store.get(Tool.KIND, key).spec();
        assertThat(spec.timeout()).isEqualTo(new GoDuration("5m"));
        assertThat(spec.output().maxOutputBytes()).isEqualTo(4096);
        assertThat(spec.output().maxOutputTokens()).isEqualTo(1000);
        assertThat(spec.definition().description()).isNotEqualTo("mine");
    }

    @Test
    void toolsThatAdmissionRefusesAreACondition() throws InterruptedException {
        script.offer("log");
        harness.client.failNext(
                Verb.WRITE_ALL,
                Tool.KIND,
                new ApiException(ErrorReason.INVALID, "Tool \"git--log\" is invalid: too large"));
        harness.apply(Manifests.server("default", "git", STDIO));

        harness.reconcile(KEY);

        assertCondition("ToolsSynced", Condition.Status.FALSE, "ToolsRefused");
        assertThat(condition("Ready").message()).contains("too large");
        harness.clock.advance(Duration.ofSeconds(2));
        harness.reconcileUntilSteady(KEY);
        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
    }
}
