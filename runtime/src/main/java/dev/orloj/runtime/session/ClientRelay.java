package dev.orloj.runtime.session;

import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.ServerRequest;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Has the clients of calls answer what a server of an older revision asks in one session. The
 * session is everybody's, so a request must never reach the client of another call: where nothing
 * tells which call it belongs to, it belongs to the only one in flight, or is refused. Thread-safe.
 */
final class ClientRelay {

    /** Of one call; people answer one thing after the other anyway. */
    private static final int MOST_AT_A_TIME = 16;

    private final Set<Participant> calls = ConcurrentHashMap.newKeySet();
    private final ConcurrentMap<JsonNode, Thread> asking = new ConcurrentHashMap<>();

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
        List<Participant> candidates = List.copyOf(calls);
        if (candidates.size() == 1) {
            candidates.getFirst().asked(request);
        } else {
            request.refuse(
                    error(
                            candidates.isEmpty()
                                    ? "No call is in flight that this could belong to"
                                    : "Several calls are in flight, and nothing tells to which of"
                                            + " them this belongs"));
        }
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
        private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
        private volatile boolean closed = false;

        private Participant(
                RequestingClient client, ClientCapabilities open, RequestDeadline deadline) {
            this.client = client;
            this.open = open;
            this.deadline = deadline;
        }

        /** The server asks during this call. */
        void asked(ServerRequest request) {
            if (!open.allow(request.method(), request.params())) {
                request.refuse();
                return;
            }
            if (threads.size() >= MOST_AT_A_TIME) {
                request.refuse(error("The client is being asked too much already"));
                return;
            }
            Thread thread =
                    Thread.ofVirtual().name("orloj-ask-client").unstarted(() -> ask(request));
            threads.add(thread);
            asking.put(request.id(), thread);
            thread.start();
            if (closed) {
                thread.interrupt();
            }
        }

        private void ask(ServerRequest request) {
            deadline.pause();
            try {
                request.answer(client.ask(request.method(), request.params()));
            } catch (JsonRpcException e) {
                request.refuse(e.error());
            } catch (InterruptedException e) {
                request.refuse(error("The request was given up"));
            } finally {
                // Whatever has gone wrong, the server must not wait for ever.
                request.refuse(error("The client could not be asked"));
                deadline.resume();
                asking.remove(request.id(), Thread.currentThread());
                threads.remove(Thread.currentThread());
            }
        }

        /** Nobody needs the answers any more. */
        @Override
        public void close() {
            calls.remove(this);
            closed = true;
            threads.forEach(Thread::interrupt);
        }
    }
}
