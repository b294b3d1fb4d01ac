package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Condition;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.controllers.control.Result;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** What a reconcile does between the end of a session or an opening and the record of that end. */
@Timeout(60)
class SessionEndOrderTest extends GitServerScenario {

    /** No worker reconciles a server while another one does. */
    private final CountDownLatch otherLooksDone = new CountDownLatch(1);

    /** Runs once. */
    private final FutureTask<Result> lookInBetween =
            new FutureTask<>(
                    () -> {
                        otherLooksDone.await();
                        return harness.look(KEY);
                    });

    private void applyServerThatDoesNotOpen() {
        script.refuseToOpen("no such program");
        harness.apply(Manifests.server("default", "git", STDIO));
        harness.look(KEY);
    }

    private void awaitLookInBetween() throws Exception {
        otherLooksDone.countDown();
        lookInBetween.get();
    }

    @Test
    void openingWhoseFailureIsNotRecordedYetIsNotRepeated() throws Exception {
        harness.beforeJournal = lookInBetween;
        applyServerThatDoesNotOpen();
        awaitLookInBetween();

        harness.reconcile(KEY);

        assertThat(script.attempts()).isEqualTo(1);
        assertCondition("Connected", Condition.Status.FALSE, "ConnectFailed");
    }

    @Test
    void openingWhoseFailureIsRecordedIsReportedAsSoonAsItIsOver() throws Exception {
        harness.afterJournal = lookInBetween;
        applyServerThatDoesNotOpen();
        awaitLookInBetween();

        await().until(() -> harness.isEnqueued(KEY));
        Result result = harness.look(KEY);

        assertCondition("Connected", Condition.Status.FALSE, "ConnectFailed");
        assertThat(result)
                .isInstanceOfSatisfying(
                        Result.RequeueAfter.class,
                        again ->
                                assertThat(again.delay())
                                        .isLessThan(McpServerReconciler.LOOK_AGAIN));
        assertThat(script.attempts()).isEqualTo(1);
    }

    private void dieOnceInACrashLoop(String spec) throws InterruptedException {
        script.offer("log");
        applyAndSettle(spec);
        script.die("exit code 3");
        await().until(() -> harness.ending(KEY).isPresent());
        harness.reconcileUntilSteady(KEY);
    }

    @Test
    void crashLoopIsRecognizedBeforeTheEndOfItsSessionIsRecorded() throws Exception {
        dieOnceInACrashLoop(STDIO);
        harness.beforeJournal = lookInBetween;

        script.die("exit code 3");
        awaitLookInBetween();
        harness.reconcile(KEY);

        assertCondition("Connected", Condition.Status.FALSE, "CrashLoop");
        assertThat(script.opened()).hasSize(2);
    }

    @Test
    void crashLoopIsReportedAsSoonAsItsSessionIsGone() throws Exception {
        dieOnceInACrashLoop(STDIO);
        harness.afterJournal = lookInBetween;

        script.die("exit code 3");
        awaitLookInBetween();
        await().until(() -> harness.isEnqueued(KEY));
        harness.look(KEY);

        assertCondition("Connected", Condition.Status.FALSE, "CrashLoop");
        assertThat(script.opened()).hasSize(2);
    }

    @Test
    void serverOnDemandWhoseSessionFailedIsNotReportedAsIdle() throws Exception {
        dieOnceInACrashLoop(STDIO + ", \"lifecycle\": \"on_demand\"");
        harness.beforeJournal = lookInBetween;

        script.die("exit code 3");
        awaitLookInBetween();

        assertThat(condition("Connected").reason()).isNotEqualTo("Idle");
        harness.reconcile(KEY);

        assertCondition("Connected", Condition.Status.FALSE, "CrashLoop");
        harness.assertPhase(KEY, McpServerStatus.Phase.ERROR);
    }
}
