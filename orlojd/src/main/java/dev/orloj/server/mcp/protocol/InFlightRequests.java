package dev.orloj.server.mcp.protocol;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Tracks the requests in progress, so that other threads can cancel them. */
public final class InFlightRequests {

    private static final String CANCELLED = "notifications/cancelled";

    private record Key(String session, JsonNode id) {}

    private final ConcurrentMap<Key, Call> calls = new ConcurrentHashMap<>();

    /** One request, from its start to its response. Created by the thread that serves it. */
    public final class Call implements AutoCloseable {

        private final Thread thread = Thread.currentThread();
        private final @Nullable Key key;
        private boolean ended;
        private boolean cancelled;

        private Call(@Nullable Key key) {
            this.key = key;
        }

        /** Interrupts the serving thread, unless it already has the response. */
        public synchronized void cancel() {
            if (!ended) {
                cancelled = true;
                thread.interrupt();
            }
        }

        public synchronized boolean isCancelled() {
            return cancelled;
        }

        /**
         * Clears an interrupt that arrived too late, before the thread continues with other work.
         */
        @Override
        public void close() {
            synchronized (this) {
                ended = true;
                if (cancelled) {
                    Thread.interrupted();
                }
            }
            if (key != null) {
                calls.remove(key, this);
            }
        }
    }

    /** Starts a request; it can be cancelled by its id if it belongs to a session. */
    public Call begin(ClientRequest request) {
        Key key = request.session().map(s -> new Key(s.id(), request.id())).orElse(null);
        Call call = new Call(key);
        if (key != null) {
            calls.put(key, call);
        }
        return call;
    }

    /**
     * Cancels the request that a cancellation of the session names, if it is in progress on this
     * replica.
     */
    public void heed(String session, Notification notification) {
        JsonNode params = notification.params();
        JsonNode id = params == null ? null : params.get("requestId");
        Call call =
                id != null && notification.method().equals(CANCELLED)
                        ? calls.get(new Key(session, id))
                        : null;
        if (call != null) {
            call.cancel();
        }
    }
}
