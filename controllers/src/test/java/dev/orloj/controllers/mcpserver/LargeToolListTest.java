package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.Condition;
import dev.orloj.api.testing.FaultyClient.Verb;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.batch.BatchedWrites;
import dev.orloj.controllers.control.Result;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** H-02: tool lists that are much larger than usual. */
@Timeout(120)
class LargeToolListTest extends GitServerScenario {

    private static final String LIMITS = ", \"tool_limits\": {\"max_tools\": %d}";

    /** As many as the usual ceiling allows. */
    private static final int MANY = 10_000;

    @Test
    void oneToolTooManyIsSaidWithFieldAndRemedyAndTheEarlierToolsStay()
            throws InterruptedException {
        script.offer("log", "diff");
        applyAndSettle(STDIO + LIMITS.formatted(2));
        script.offer("log", "diff", "blame");

        script.announceChange();
        Result result = harness.reconcile(KEY);

        assertCondition(McpServer.TOOLS_SYNCED, Condition.Status.FALSE, "TooManyTools");
        assertCondition(McpServer.READY, Condition.Status.FALSE, "TooManyTools");
        assertThat(condition(McpServer.TOOLS_SYNCED).message())
                .isEqualTo(
                        "The Tools from before stay: The server lists at least 3 tools, and"
                                + " spec.tool_limits.max_tools allows 2; raise the field, up to the"
                                + " 10,000 that orlojd allows, or have the server list less");
        assertThat(harness.toolNames()).containsExactly("git--diff", "git--log");
        assertThat(harness.eventReasons()).contains("TooManyTools");
        assertThat(result).as("not at once").isInstanceOf(Result.RequeueAfter.class);

        change(STDIO + LIMITS.formatted(3));
        harness.reconcileUntilSteady(KEY);

        assertCondition(McpServer.READY, Condition.Status.TRUE, "SessionOpen");
        assertThat(harness.toolNames()).hasSize(3);
    }

    /** H-02. */
    @Test
    void listThatWasTooLongIsAskedForAgainWhenItChanges() throws InterruptedException {
        offer(3);
        applyAndSettle(STDIO + LIMITS.formatted(2));
        assertCondition(McpServer.READY, Condition.Status.FALSE, "TooManyTools");
        offer(2);

        script.announceChange();
        harness.clock.advance(Duration.ofSeconds(2)); // the wait after one failure
        harness.reconcileUntilSteady(KEY);

        assertCondition(McpServer.READY, Condition.Status.TRUE, "SessionOpen");
        assertThat(harness.toolNames()).hasSize(2);
    }

    /** H-02. */
    @Test
    void listThatStaysTooLongIsAskedForEverMoreSeldomHoweverOftenItChanges()
            throws InterruptedException {
        offer(3);
        applyAndSettle(STDIO + LIMITS.formatted(2));
        Duration step = Duration.ofMillis(337); // no wait is one that the harness waits for

        for (Duration t = Duration.ZERO; t.toMinutes() < 10; t = t.plus(step)) {
            script.announceChange();
            harness.clock.advance(step);
            harness.look(KEY);
        }

        assertThat(script.requests("tools/list")).isBetween(5L, 15L);
    }

    @Test
    void listIsWrittenInBatchesAndTheStatusStaysSmall() throws InterruptedException {
        offer(MANY);
        AtomicInteger batches = new AtomicInteger();
        AtomicInteger looks = new AtomicInteger();
        harness.client.failBefore(
                request -> {
                    if (request.verb() == Verb.WRITE_ALL && request.kind().equals(Tool.KIND)) {
                        batches.incrementAndGet();
                    }
                    if (request.verb() == Verb.FIND && request.kind().equals(McpServer.KIND)) {
                        looks.incrementAndGet();
                    }
                });

        applyAndSettle(STDIO + LIMITS.formatted(MANY));

        int expected = MANY / BatchedWrites.MAX_WRITES;
        assertThat(batches).hasValue(expected);
        assertThat(looks).as("one look at the server between two").hasValue(expected - 1);
        McpServerStatus status = harness.server(KEY).status();
        assertThat(status.toolCount()).isEqualTo(MANY);
        assertThat(status.generatedTools()).hasSize(McpServerStatus.MAX_NAMES);
        assertThat(status.discoveredTools()).hasSize(McpServerStatus.MAX_NAMES);
        assertThat(harness.toolNames()).hasSize(MANY);

        batches.set(0);
        harness.delete(KEY);
        harness.reconcileUntilSteady(KEY);

        assertThat(batches).hasValue(expected);
        assertThat(harness.toolNames()).isEmpty();
    }

    @Test
    void serverThatIsDeletedMeanwhileEndsTheSync() throws InterruptedException {
        offer(1_000);
        AtomicInteger batches = new AtomicInteger();
        harness.client.failAfter(
                request -> {
                    if (request.verb() == Verb.WRITE_ALL && batches.incrementAndGet() == 2) {
                        harness.delete(KEY);
                    }
                });
        harness.apply(Manifests.server("default", "git", STDIO));

        harness.reconcile(KEY);

        assertThat(batches).hasValue(2);
        assertThat(harness.toolNames()).hasSize(2 * BatchedWrites.MAX_WRITES);
        harness.client.heal();
        harness.reconcileUntilSteady(KEY);
        assertThat(harness.toolNames()).isEmpty();
        assertThat(harness.store.find(McpServer.KIND, KEY)).isEmpty();
    }

    @Test
    void changeMeanwhileEndsTheSyncAndTheNextLookGoesOn() throws InterruptedException {
        offer(1_000);
        AtomicInteger batches = new AtomicInteger();
        harness.client.failAfter(
                request -> {
                    if (request.verb() == Verb.WRITE_ALL && batches.incrementAndGet() == 1) {
                        change(STDIO + ", \"tool_filter\": {\"include\": [\"tool-7\"]}");
                    }
                });
        harness.apply(Manifests.server("default", "git", STDIO));

        harness.reconcile(KEY);

        assertThat(harness.toolNames()).hasSize(BatchedWrites.MAX_WRITES);
        assertCondition(McpServer.TOOLS_SYNCED, Condition.Status.UNKNOWN, "Syncing");
        harness.client.heal();
        harness.reconcileUntilSteady(KEY);
        assertThat(harness.toolNames()).containsExactly("git--tool-7");
    }

    /** H-08. */
    @Test
    void toolThatIsTooLargeIsLeftOutWithANoteAndAnEventAndTheOthersAreOffered()
            throws InterruptedException {
        ObjectNode large = ScriptedServers.Script.definition("large");
        large.put("description", "x".repeat(2_000_000));
        script.offer(List.of(large, ScriptedServers.Script.definition("good")));

        applyAndSettle(STDIO);

        assertCondition(McpServer.READY, Condition.Status.TRUE, "SessionOpen");
        assertThat(condition(McpServer.TOOLS_SYNCED).message())
                .contains("Tool \"large\" was left out", "at most 524,288 are taken");
        assertThat(harness.eventReasons()).contains("LeftOut");
        assertThat(harness.toolNames()).containsExactly("git--good");
    }

    private void offer(int tools) {
        script.offer(
                IntStream.range(0, tools)
                        .mapToObj(i -> ScriptedServers.Script.definition("tool-" + i))
                        .toList());
    }
}
