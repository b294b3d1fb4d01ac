package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Condition;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.controllers.mcpserver.tools.ToolListings;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** What the sessions that clients have to themselves mean for their server. */
@DisplayName("H-23")
class ClientSessionsTest extends GitServerScenario {

    private static final String EACH_CLIENT = STDIO + ", \"session_scope\": \"agent\"";

    /** Anna uses the first session, which is there already; Bert gets one of his own. */
    private void letTwoClientsCall() throws InterruptedException {
        harness.callAs("anna", KEY);
        harness.callAs("bert", KEY);
        assertThat(script.live()).isEqualTo(2);
    }

    @Test
    void toolsAreListedFromTheSessionThatAnnouncedTheChange() throws InterruptedException {
        script.offer("log");
        applyAndSettle(EACH_CLIENT);
        letTwoClientsCall();
        harness.reconcileUntilSteady(KEY);

        script.changeInLatest("log", "of_bert");
        harness.reconcileUntilSteady(KEY);

        assertThat(harness.toolNames()).containsExactly("git--log", "git--of-bert");
        harness.assertPhase(KEY, McpServerStatus.Phase.READY);
    }

    @Test
    void toolsAreListedFromTheFirstSessionWhenTheOneThatAnnouncedIsGone()
            throws InterruptedException {
        script.offer("log");
        applyAndSettle(EACH_CLIENT);
        letTwoClientsCall();
        script.changeInLatest("of_bert");
        harness.reconcileUntilSteady(KEY);

        script.killLatest("exit code 3");
        await().until(() -> harness.isEnqueued(KEY));
        harness.reconcileUntilSteady(KEY);

        assertThat(harness.toolNames()).containsExactly("git--log");
        assertThat(script.live()).isEqualTo(1);
    }

    @Test
    void changeThatAClientOfASleepingServerCausedIsListed() throws Exception {
        script.offer("log");
        CountDownLatch annasCall = script.hangWhenCalled();
        applyAndSettle(EACH_CLIENT + ", \"idle_timeout\": \"20ms\"");
        FutureTask<Void> anna = begin(1, () -> harness.callAs("anna", KEY));
        CountDownLatch bertsCall = script.hangWhenCalled();
        FutureTask<Void> bert = begin(2, () -> harness.callAs("bert", KEY));
        annasCall.countDown();
        anna.get();
        await().until(() -> script.live() == 1 && harness.ending(KEY).isPresent());
        harness.reconcileUntilSteady(KEY);
        assertCondition("Ready", Condition.Status.TRUE, "Idle");

        script.changeInLatest("log", "of_bert");
        harness.reconcileUntilSteady(KEY);

        assertThat(harness.toolNames()).containsExactly("git--log", "git--of-bert");
        assertThat(script.live()).isEqualTo(1);
        bertsCall.countDown();
        bert.get();
    }

    private interface Call {
        void make() throws InterruptedException;
    }

    /** A call that goes on; returns when the server has it. */
    private FutureTask<Void> begin(int number, Call work) {
        FutureTask<Void> call =
                new FutureTask<>(
                        () -> {
                            work.make();
                            return null;
                        });
        Thread.startVirtualThread(call);
        await().until(() -> script.requests("tools/call") == number);
        return call;
    }

    @Test
    void endOfAClientsSessionLeavesTheWaitOfACrashLoopAsItIs() throws Exception {
        script.offer("log");
        applyAndSettle(EACH_CLIENT);
        harness.callAs("anna", KEY);
        CountDownLatch hanging = script.hangWhenCalled();
        FutureTask<Void> stranger = begin(2, () -> harness.callAsStranger(KEY));
        script.kill(0, "exit code 3");
        await().until(() -> harness.ending(KEY).isPresent());
        harness.reconcileUntilSteady(KEY);
        script.kill(2, "exit code 3");
        await().until(() -> harness.ending(KEY).isPresent());
        harness.reconcile(KEY);
        assertCondition("Connected", Condition.Status.FALSE, "CrashLoop");
        Optional<SessionJournal.Ending> before = harness.ending(KEY);

        hanging.countDown();
        stranger.get();
        await().until(() -> script.live() == 0 && harness.isEnqueued(KEY));
        harness.reconcile(KEY);

        assertThat(harness.ending(KEY)).isEqualTo(before);
        assertCondition("Connected", Condition.Status.FALSE, "CrashLoop");
        assertThat(script.attempts()).isEqualTo(3);
    }

    @Test
    void sessionsThatAnnounceInTurnsAreNotListedWithoutEnd() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO + ", \"session_scope\": \"call\"");
        for (int call = 0; call < 100; call++) {
            harness.callAs("anna", KEY);
            script.announceChange();
            harness.look(KEY);
            script.killLatest("exit code 3");
            harness.look(KEY);
        }

        assertThat(script.requests("tools/list")).isLessThanOrEqualTo(ToolListings.BURST + 1L);
    }
}
