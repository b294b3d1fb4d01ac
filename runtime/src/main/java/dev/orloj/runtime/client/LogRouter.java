package dev.orloj.runtime.client;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Routes the log messages of one session to the requests that caused them. A message without a
 * request id may contain data of any client of the session: if the session served only one client,
 * the message goes to that client, else to none. If clients share the session, it goes to the only
 * request in flight, or to the listeners of the server. Thread-safe.
 */
final class LogRouter {

    private final BooleanSupplier strict;
    private final Set<RequestLog> requests = ConcurrentHashMap.newKeySet();
    private final AtomicReference<SessionClients> clients =
            new AtomicReference<>(new SessionClients.None());

    /**
     * @param strict whether clients are isolated from each other
     */
    LogRouter(BooleanSupplier strict) {
        this.strict = strict;
    }

    /** Returns the clients that the session has served. */
    SessionClients clients() {
        return clients.get();
    }

    /**
     * Registers a request.
     *
     * @param client its owner; null when the request reveals no data of a client to the server
     */
    RequestLog join(LogListener listener, @Nullable Object client) {
        if (client != null) {
            clients.updateAndGet(known -> known.and(client));
        }
        RequestLog requestLog = new RequestLog(listener, client);
        requests.add(requestLog);
        return requestLog;
    }

    /**
     * Routes a message without a request id.
     *
     * @return false when it is for the listeners of the server
     */
    boolean logged(@Nullable JsonNode params) {
        if (strict.getAsBoolean()) {
            return switch (clients.get()) {
                case SessionClients.None _ -> false;
                case SessionClients.One(Object one) -> {
                    // List requests for other clients may be in flight in the same session.
                    var unused =
                            requests.stream()
                                    .filter(request -> one.equals(request.client))
                                    .anyMatch(request -> request.logged(params));
                    yield true;
                }
                case SessionClients.Several _ -> true;
            };
        }
        Iterator<RequestLog> each = requests.iterator();
        if (!each.hasNext()) {
            return false;
        }
        RequestLog only = each.next();
        return !each.hasNext() && only.logged(params);
    }

    /** Receives the messages of one request until it is closed. */
    final class RequestLog implements Predicate<Notification>, AutoCloseable {

        private final LogListener listener;
        private final @Nullable Object client;

        private RequestLog(LogListener listener, @Nullable Object client) {
            this.listener = listener;
            this.client = client;
        }

        /**
         * Handles a notification of the server during this request.
         *
         * @return whether it is a log message for this request
         */
        @Override
        public boolean test(Notification notification) {
            return notification.method().equals(LogListener.METHOD)
                    && logged(notification.params());
        }

        private boolean logged(@Nullable JsonNode params) {
            if (listener == LogListener.NONE || !(params instanceof ObjectNode message)) {
                return false;
            }
            listener.logged(message);
            return true;
        }

        @Override
        public void close() {
            requests.remove(this);
        }
    }
}
