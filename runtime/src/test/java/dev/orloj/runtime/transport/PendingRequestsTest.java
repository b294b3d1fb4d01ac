package dev.orloj.runtime.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.runtime.reading.MessageSize;
import dev.orloj.runtime.reading.ReadBudget;
import dev.orloj.runtime.transport.PendingRequests.Pending;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

class PendingRequestsTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final OutgoingRequest CALL = new OutgoingRequest("tools/call", null);

    private final PendingRequests pending = new PendingRequests(ReadBudget.ofHeap(1 << 30));
    private final List<Pending> sent = new CopyOnWriteArrayList<>();
    private final List<Notification> cancelled = new CopyOnWriteArrayList<>();

    @Test
    void aRequestEndsInTimeThoughAnotherOneMayWaitForLonger() throws Exception {
        Pending longRequest = add(RequestDeadline.after(LONG));

        assertThatThrownBy(() -> exchange(RequestDeadline.after(SHORT)))
                .isInstanceOfSatisfying(
                        RequestTimeoutException.class, e -> assertThat(e.after()).isEqualTo(SHORT));

        assertThat(cancelled).hasSize(1);
        assertThat(longRequest.answer()).isNotDone();
    }

    @Test
    void requestsOfAQuietConnectionEndTooOneAfterTheOther() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> exchange(RequestDeadline.after(SHORT)))
                    .isInstanceOf(RequestTimeoutException.class);
        }
        Pending first = add(RequestDeadline.after(SHORT));
        Pending second = add(RequestDeadline.after(SHORT.multipliedBy(4)));

        await().until(() -> first.answer().isDone());
        await().until(() -> second.answer().isDone());
    }

    @Test
    void anEndThatWasMovedHolds() {
        RequestDeadline deadline = RequestDeadline.after(SHORT);
        deadline.pause();
        Pending asking = add(deadline);
        Pending other = add(RequestDeadline.after(SHORT.multipliedBy(4)));
        await().until(() -> other.answer().isDone());
        assertThat(asking.answer()).isNotDone();

        deadline.resume();

        await().until(() -> asking.answer().isDone());
    }

    /** A trace showed 0 B when the caller was faster than the thread that reads the responses. */
    @Test
    void bytesOfAResponseAreCountedBeforeItsCallerGoesOn() {
        Pending request = add(RequestDeadline.after(LONG));
        AtomicLong counted = new AtomicLong();
        request.answer().thenRun(() -> counted.set(request.bytesIn()));
        JsonNode id = JsonNodeFactory.instance.numberNode(request.id());

        pending.complete(id, new Response(id, NullNode.instance), new MessageSize(42, 0));

        assertThat(counted).hasValue(42);
    }

    @Test
    void nothingIsAddedToAConnectionThatHasEnded() {
        pending.end(new TransportException("gone", true));

        assertThatThrownBy(() -> add(RequestDeadline.after(LONG)))
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.delivered()).isFalse());
    }

    /** Else a caller would repeat a request that the server receives after all. */
    @Test
    void aRequestThatFailedAsNotSentIsNeverSent() {
        Pending unsent = add(RequestDeadline.after(LONG));
        Pending begun = add(RequestDeadline.after(LONG));
        assertThat(begun.beginSending()).isTrue();

        pending.end(new TransportException("gone", true));

        assertThat(unsent.beginSending()).isFalse();
        assertThat(begun.beginSending()).as("again, after a redirect").isTrue();
        assertThat(failure(unsent).delivered()).isFalse();
        assertThat(failure(begun).delivered()).isTrue();
    }

    private static TransportException failure(Pending request) {
        return (TransportException) request.answer().exceptionNow();
    }

    @Test
    void aRequestThatCannotBeSentIsNotPending() {
        assertThatThrownBy(
                        () ->
                                pending.exchange(
                                        CALL,
                                        RequestDeadline.after(LONG),
                                        (request, message) -> {
                                            sent.add(request);
                                            throw new IllegalArgumentException("no header");
                                        },
                                        cancelled::add))
                .hasMessage("no header");

        assertThat(pending.unreadable(sent.getFirst().id(), "late")).isNull();
        assertThat(sent.getFirst().answer()).isCancelled();
    }

    private JsonNode exchange(RequestDeadline deadline) throws InterruptedException {
        return pending.exchange(
                CALL, deadline, (request, message) -> sent.add(request), cancelled::add);
    }

    private Pending add(RequestDeadline deadline) {
        return pending.add(CALL, deadline);
    }
}
