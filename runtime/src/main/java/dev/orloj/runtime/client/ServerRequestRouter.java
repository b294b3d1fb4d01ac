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
 * Has the clients of calls answer what a server of an older revision asks in one session. The
 * session is everybody's, so a request must never reach the client of another call: where nothing
 * tells which call it belongs to, it belongs to the only one in flight, or is refused. A server may
 * still be at a call that was given up, so from then on only the agent of that call is asked.
 * Thread-safe.
 */
final class ServerRequestRouter {

    /** Of one call; people answer one thing after the other anyway. */
    private static final int MOST_AT_A_TIME = 16;

    private final ResourceKey server;
    private final Set<Participant> calls = ConcurrentHashMap.newKeySet();
    private final AtomicLong joined = new AtomicLong();
    private final ConcurrentMap<JsonNode, Thread> asking = new ConcurrentHashMap<>();

    /**
     * Whose calls were given up. For good: servers do not answer what is cancelled (2025-11-25,
     * "Cancellation"), so nothing tells when they are done with it.
     */
    private final Set<Object> givenUp = ConcurrentHashMap.newKeySet();

    ServerRequestRouter(ResourceKey server) {
        this.server = server;
    }

    /**
     * A call begins, during which the server may ask.
     *
     * @param client who is asked, and what for
     * @param deadline of the call; stands still while the client is asked
     */
    Participant join(RequestingClient client, ClientCapabilities open, RequestDeadline deadline) {
        Participant participant = new Participant(client, open, deadline);
        calls.add(participant);
        return participant;
    }

    /** The server asks, and nothing tells why. */
    void asked(ServerRequest request) {
        // Before a look at what was given up: a call is there before it is gone from here.
        List<Participant> candidates = List.copyOf(calls);
        if (candidates.isEmpty()) {
            request.refuse(error("No call is in flight that this could belong to"));
        } else if (candidates.size() > 1 && areOfOneClient(candidates)) {
            askDuringAny(request, candidates);
        } else if (candidates.size() > 1) {
            request.refuse(
                    error(
                            "Several calls are in flight, and nothing tells to which of them this"
                                    + " belongs"));
        } else if (mayBeForAnother(candidates.getFirst().client)) {
            request.refuse(
                    error(
                            "A call was given up before it was answered, and nothing tells whether"
                                    + " this belongs to it"));
        } else {
            candidates.getFirst().asked(request);
        }
    }

    private static boolean areOfOneClient(List<Participant> calls) {
        Object client = calls.getFirst().client.agent();
        return calls.stream().allMatch(call -> call.client.agent().equals(client));
    }

    /** Of all the time stands still, as any of them may be the one that waits. */
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
     * Those whose client is there, if any is: a call that was left to itself waits for what it has
     * asked already, and may have been forgotten.
     */
    private static List<Participant> likely(List<Participant> calls) {
        List<Participant> present = calls.stream().filter(call -> call.client.isPresent()).toList();
        return present.isEmpty() ? calls : present;
    }

    /**
     * Whether a call of another agent was given up, to which it may belong what the server asks
     * during a call of this client.
     */
    boolean mayBeForAnother(RequestingClient client) {
        return !givenUp.isEmpty()
                && givenUp.stream().anyMatch(agent -> !agent.equals(client.agent()));
    }

    /** The server does not want to know any more. */
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

    /** One call, until it is closed. */
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

        /** The server asks during this call. */
        void asked(ServerRequest request) {
            asked(request, List.of(deadline));
        }

        private void asked(ServerRequest request, List<RequestDeadline> deadlines) {
            if (!open.allow(request.method(), request.params())) {
                request.refuse();
                return;
            }
            if (threads.size() >= MOST_AT_A_TIME) {
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
                // Whatever has gone wrong, the server must not wait for ever.
                request.refuse(error("The client could not be asked"));
                deadlines.forEach(RequestDeadline::resume);
                asking.remove(request.id(), Thread.currentThread());
                threads.remove(Thread.currentThread());
            }
        }

        /** No tasks were declared to the server. */
        private static @Nullable JsonNode withoutTask(ServerRequest request) {
            return request.params() instanceof ObjectNode params && params.has("task")
                    ? params.deepCopy().without("task")
                    : request.params();
        }

        /** The server is done with the call, or never got it. */
        void answered() {
            answered = true;
        }

        /** Nobody needs the answers any more. */
        @Override
        public void close() {
            // With two of them it is nobody's already, and they must not become more and more.
            if (!answered && givenUp.size() < 2) {
                givenUp.add(client.agent());
            }
            calls.remove(this);
            closed = true;
            threads.forEach(Thread::interrupt);
        }
    }
}
