package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Condition;
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
}
