package dev.orloj.runtime.client;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.ServerRequest;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Routes the requests of a server of an older revision to the clients of the calls in one session.
 * Clients share the session, so a request must never reach the client of another call: a request
 * that names no call belongs to the only call in flight, or is refused. A server may still process
 * a cancelled call, so after a cancellation only the client of that call receives requests.
 * Thread-safe.
 */
final class ServerRequestRouter {

    /** Maximum number of open requests of one call. */
    private static final int MAX_AT_A_TIME = 16;

    private final ResourceKey server;
    private final Set<Participant> calls = ConcurrentHashMap.newKeySet();
    private final AtomicLong joined = new AtomicLong();
    private final ConcurrentMap<JsonNode, Thread> asking = new ConcurrentHashMap<>();

    /**
     * The clients whose calls were cancelled. Never removed: servers do not respond to cancelled
     * requests (2025-11-25, "Cancellation"), so their end is unknown.
     */
    private final Set<Object> givenUp = ConcurrentHashMap.newKeySet();

    ServerRequestRouter(ResourceKey server) {
        this.server = server;
    }

    /**
     * Registers a call during which the server may send requests.
     *
     * @param client receives the requests
     * @param open the capabilities that the server may use
     * @param deadline deadline of the call; paused while the client responds
     */
    Participant join(RequestingClient client, ClientCapabilities open, RequestDeadline deadline) {
        Participant participant = new Participant(client, open, deadline);
        calls.add(participant);
        return participant;
    }

    /** Routes a request that names no call. */
    void asked(ServerRequest request) {
        // Read before the cancelled calls: a call is added there before it is removed here.
        List<Participant> candidates = List.copyOf(calls);
        if (candidates.isEmpty()) {
            request.refuse(error("No call is in flight that this could belong to"));
        } else if (candidates.size() > 1 && areOfOneClient(candidates)) {
            askDuringAny(request, candidates);
        } else if (candidates.size() > 1) {
            request.refuse(
                    error("Several calls are in flight, and this may belong to each of them"));
        } else if (mayBeForAnother(candidates.getFirst().client)) {
            request.refuse(
                    error("A call was given up before it was answered, and this may belong to it"));
        } else {
            candidates.getFirst().asked(request);
        }
    }

    private static boolean areOfOneClient(List<Participant> calls) {
        Object client = calls.getFirst().client.identity();
        return calls.stream().allMatch(call -> call.client.identity().equals(client));
    }

    /** Pauses the deadlines of all calls, because any of them may be the one that waits. */
    private static void askDuringAny(ServerRequest request, List<Participant> calls) {
        likely(calls).stream()
                .max(
                        Comparator.<Participant, Boolean>comparing(
                                        call -> call.open.allow(request.method(), request.params()))
                                .thenComparing(call -> call.number))
                .orElseThrow()
                .asked(request, calls.stream().map(call -> call.deadline).toList());
    }

    /**
     * Returns the calls whose client is connected, if any: a detached call waits only for responses
     * to earlier requests.
     */
    private static List<Participant> likely(List<Participant> calls) {
        List<Participant> present = calls.stream().filter(call -> call.client.isPresent()).toList();
        return present.isEmpty() ? calls : present;
    }

    /**
     * Returns whether a request during a call of this client may belong to a cancelled call of
     * another client.
     */
    boolean mayBeForAnother(RequestingClient client) {
        return !givenUp.isEmpty()
                && givenUp.stream().anyMatch(other -> !other.equals(client.identity()));
    }

    /** Handles the server's cancellation of one of its requests. */
    void cancelled(@Nullable JsonNode params) {
        JsonNode id = params == null ? null : params.get("requestId");
        Thread thread = id == null ? null : asking.get(id);
        if (thread != null) {
            thread.interrupt();
        }
    }

    private static JsonRpcError error(String message) {
        return new JsonRpcError(JsonRpcError.INTERNAL_ERROR, message, null);
    }

    /** A call in flight, until it is closed. */
    final class Participant implements AutoCloseable {

        private final RequestingClient client;
        private final ClientCapabilities open;
        private final RequestDeadline deadline;
        private final long number = joined.incrementAndGet();
        private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
        private volatile boolean answered = false;
        private volatile boolean closed = false;

        private Participant(
                RequestingClient client, ClientCapabilities open, RequestDeadline deadline) {
            this.client = client;
            this.open = open;
            this.deadline = deadline;
        }

        /** Sends a request of the server to the client of this call. */
        void asked(ServerRequest request) {
            asked(request, List.of(deadline));
        }

        private void asked(ServerRequest request, List<RequestDeadline> deadlines) {
            if (!open.allow(request.method(), request.params())) {
                request.refuse();
                return;
            }
            if (threads.size() >= MAX_AT_A_TIME) {
                request.refuse(error("The client is being asked too much already"));
                return;
            }
            Thread thread =
                    Thread.ofVirtual()
                            .name("orloj-ask-client")
                            .unstarted(() -> ask(request, deadlines));
            threads.add(thread);
            asking.put(request.id(), thread);
            thread.start();
            if (closed) {
                thread.interrupt();
            }
        }

        private void ask(ServerRequest request, List<RequestDeadline> deadlines) {
            deadlines.forEach(RequestDeadline::pause);
            try {
                request.answer(client.ask(server, request.method(), withoutTask(request)));
            } catch (JsonRpcException e) {
                request.refuse(e.error());
            } catch (InterruptedException e) {
                request.refuse(error("The request was given up"));
            } finally {
                // After any failure, the server must receive a response.
                request.refuse(error("The client could not be asked"));
                deadlines.forEach(RequestDeadline::resume);
                asking.remove(request.id(), Thread.currentThread());
                threads.remove(Thread.currentThread());
            }
        }

        /** Removes the task, because no tasks were declared to the server. */
        private static @Nullable JsonNode withoutTask(ServerRequest request) {
            return request.params() instanceof ObjectNode params && params.has("task")
                    ? params.deepCopy().without("task")
                    : request.params();
        }

        /** Records that the server finished the call, or never received it. */
        void answered() {
            answered = true;
        }

        /** Cancels the open requests of the call. */
        @Override
        public void close() {
            // Two already block every client, so the set does not have to grow further.
            if (!answered && givenUp.size() < 2) {
                givenUp.add(client.identity());
            }
            calls.remove(this);
            closed = true;
            threads.forEach(Thread::interrupt);
        }
    }
}
