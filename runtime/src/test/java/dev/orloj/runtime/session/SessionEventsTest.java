package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.testkit.ManualScheduler;
import dev.orloj.runtime.transport.TransportException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** What a listener finds in the manager when it is called about the end of a session. */
@Timeout(30)
class SessionEventsTest {

    private static final ServerDefinition TWO =
            Definitions.withMaxSessions(Definitions.server("github"), 2);

    private final FakeTransports transports = new FakeTransports();
    private final Observer observer = new Observer();
    private final SessionManager manager =
            new SessionManager(
                    transports,
                    observer,
                    new ManualScheduler(),
                    () -> 0L,
                    SessionSettings.withVersion("1.2.3"));

    /** Remembers what the manager knows of the shared session when it is called. */
    private final class Observer implements SessionListener {

        private final List<String> events = new CopyOnWriteArrayList<>();
        private final List<FailedOpening> failures = new CopyOnWriteArrayList<>();
        private volatile @Nullable Throwable error;

        private void called(String event) {
            String opening = manager.openingSince(TWO).isPresent() ? ", opening" : "";
            long over = manager.sessions(TWO.server()).stream().filter(SessionInfo::isOver).count();
            events.add(event + opening + (over > 0 ? ", over" : ""));
            Throwable thrown = error;
            if (thrown instanceof Error e) {
                throw e;
            }
            if (thrown instanceof RuntimeException e) {
                throw e;
            }
        }

        @Override
        public void opened(ResourceKey server, SessionInfo session) {
            called("opened");
        }

        @Override
        public void openFailed(ResourceKey server, FailedOpening failure) {
            failures.add(failure);
            called("openFailed");
        }

        @Override
        public void closed(ResourceKey server, SessionInfo session, String cause, boolean failure) {
            called("closed");
        }

        @Override
        public void removed(ResourceKey server) {
            called("removed");
        }

        @Override
        public void gone(ResourceKey server) {
            called("gone");
        }

        @Override
        public void toolsChanged(ResourceKey server) {}
    }

    @AfterEach
    void close() {
        manager.close();
    }

    private void refuseToOpenAfter(CountDownLatch latch) {
        transports.on(
                "initialize",
                (connection, params) -> {
                    latch.await();
                    throw new TransportException("exited with code 1", true);
                });
    }

    private FutureTask<JsonNode> call() {
        return SessionRig.start(
                () ->
                        TestSessions.callTool(
                                manager,
                                TWO,
                                "echo",
                                FakeTransports.json("{}"),
                                SessionRig.TIMEOUT));
    }

    @Test
    void failedOpeningIsReportedBeforeItIsRemovedAndItsCallsFailAfterwards() {
        refuseToOpenAfter(new CountDownLatch(0));

        assertThatThrownBy(() -> TestSessions.sessionFor(manager, TWO))
                .isInstanceOf(SessionOpenException.class);

        assertThat(observer.events).containsExactly("openFailed, opening", "removed");
    }

    @Test
    void failedSessionIsReportedBeforeItIsRemoved() throws Exception {
        TestSessions.sessionFor(manager, TWO);

        transports.latest().die("exited with code 1");

        await().until(() -> observer.events.size() == 3);
        assertThat(observer.events).containsExactly("opened", "closed, over", "removed");
    }

    @Test
    void errorOfAListenerLeavesNoOpeningBehind() {
        refuseToOpenAfter(new CountDownLatch(0));
        observer.error = new AssertionError("not now");

        assertThatThrownBy(() -> TestSessions.sessionFor(manager, TWO))
                .isInstanceOf(SessionOpenException.class);

        assertThat(manager.openingSince(TWO)).isEmpty();
    }

    @Test
    void errorOfAListenerLeavesNoCallWaitingForACancelledOpening() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        refuseToOpenAfter(never);
        FutureTask<JsonNode> call = call();
        await().until(() -> transports.count("initialize") == 1);
        observer.error = new AssertionError("not now");

        manager.dismiss(TWO.server());

        assertThatThrownBy(() -> call.get(5, TimeUnit.SECONDS))
                .hasCauseInstanceOf(SessionOpenException.class);
        assertThat(observer.events).containsExactly("gone", "removed");
    }

    @Test
    void errorOfAListenerDoesNotKeepOtherSessionsOpenAtTheEnd() throws Exception {
        TestSessions.sessionFor(manager, TWO);
        // Servers without a session are gone as soon as they are dismissed.
        for (int i = 0; i < 20; i++) {
            manager.log(Definitions.server("server-" + i).server());
        }
        observer.error = new AssertionError("not now");

        manager.close();

        assertThat(transports.open()).isEmpty();
    }

    @Test
    void listenersAfterOneThatFailsAreCalled() {
        refuseToOpenAfter(new CountDownLatch(0));
        Observer second = new Observer();
        observer.error = new AssertionError("not now");
        second.error = new IllegalStateException("not now, either");
        SessionListeners both = new SessionListeners(List.of(observer, second, observer));

        assertThatThrownBy(() -> both.gone(TWO.server()))
                .isSameAs(observer.error)
                .hasSuppressedException(second.error);

        assertThat(observer.events).hasSize(2);
        assertThat(second.events).hasSize(1);
    }

    @Test
    void failureThatTheControllerDoesNotKnowYetIsWaitedAfter() {
        refuseToOpenAfter(new CountDownLatch(0));
        assertThatThrownBy(() -> TestSessions.sessionFor(manager, TWO))
                .isInstanceOf(SessionOpenException.class);

        Optional<FailedOpening> other = manager.start(TWO, Optional.empty());

        assertThat(transports.made()).hasSize(1);
        assertThat(other)
                .map(FailedOpening::retryAfter)
                .contains(observer.failures.getFirst().retryAfter());
    }

    @Test
    void failureThatTheControllerHasWaitedAfterIsNotWaitedAfterAgain() throws Exception {
        refuseToOpenAfter(new CountDownLatch(0));
        assertThatThrownBy(() -> TestSessions.sessionFor(manager, TWO))
                .isInstanceOf(SessionOpenException.class);

        Optional<FailedOpening> other =
                manager.start(TWO, Optional.of(observer.failures.getFirst().cause()));

        assertThat(other).isEmpty();
        await().until(() -> observer.failures.size() == 2);
    }

    @Test
    void failureIsReportedBeforeTheOpeningsThatWaitForItAreRemoved() throws Exception {
        CountDownLatch calls = new CountDownLatch(1);
        transports.on(
                "tools/call",
                (connection, params) -> {
                    calls.await();
                    return FakeTransports.echo(params);
                });
        call();
        await().until(() -> transports.count("tools/call") == 1);
        refuseToOpenAfter(new CountDownLatch(0));
        call();
        await().until(() -> transports.count("tools/call") == 2);
        CountDownLatch latch = new CountDownLatch(1);
        refuseToOpenAfter(latch);
        call();
        await().until(() -> transports.count("initialize") == 3);
        transports.made().getFirst().die("exited with code 1");
        await().until(() -> observer.events.size() == 5);
        observer.events.clear();
        manager.start(TWO, Optional.of(observer.failures.getLast().cause()));

        latch.countDown();
        await().until(() -> !observer.events.isEmpty());
        calls.countDown();

        assertThat(observer.events.getFirst()).isEqualTo("openFailed, opening");
    }
}
