package dev.orloj.server.mcp.protocol;

import com.google.errorprone.annotations.concurrent.GuardedBy;

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

    /**
     * One request, from its start to its end. Created by the thread that serves it. It is either
     * completed or cancelled, whichever comes first.
     */
    public final class Call implements AutoCloseable {

        private final Thread thread = Thread.currentThread();
        private final @Nullable Key key;

        @GuardedBy("this")
        private boolean completed;

        @GuardedBy("this")
        private boolean cancelled;

        private Call(@Nullable Key key) {
            this.key = key;
        }

        /** Interrupts the serving thread once, unless the request is completed. */
        public synchronized void cancel() {
            if (!completed && !cancelled) {
                cancelled = true;
                thread.interrupt();
            }
        }

        /**
         * Ends the time in which the request can be cancelled: from now on the serving thread is
         * not interrupted while it writes the response. Clears the interrupt of a cancellation.
         *
         * @return false when the request was cancelled, so that its client expects no response
         */
        public synchronized boolean complete() {
            if (cancelled) {
                Thread.interrupted();
            } else {
                completed = true;
            }
            return completed;
        }

        @Override
        public void close() {
            complete();
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
