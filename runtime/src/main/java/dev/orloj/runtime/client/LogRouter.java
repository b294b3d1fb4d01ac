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
 * Gives what a server logs in one session to those for whose requests it does so. What nothing
 * tells the request of may hold the text of any client that the session has worked for: it goes to
 * that client if it is the only one, and else to nobody. Where the session is said to be
 * everybody's, it goes to the only request in flight, or to nobody in particular. Thread-safe.
 */
final class LogRouter {

    private final BooleanSupplier strict;
    private final Set<RequestLog> requests = ConcurrentHashMap.newKeySet();
    private final AtomicReference<SessionClients> clients =
            new AtomicReference<>(new SessionClients.None());

    /**
     * @param strict whether clients are kept apart
     */
    LogRouter(BooleanSupplier strict) {
        this.strict = strict;
    }

    /** Those that the session has worked for. */
    SessionClients clients() {
        return clients.get();
    }

    /**
     * A request begins.
     *
     * @param client whose it is; null when the server gets to know nothing of a client by it
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
     * The server logs, and nothing tells for which request.
     *
     * @return whether it is dealt with; else it is for whoever listens
     */
    boolean logged(@Nullable JsonNode params) {
        if (strict.getAsBoolean()) {
            return switch (clients.get()) {
                case SessionClients.None _ -> false;
                case SessionClients.One(Object one) -> {
                    // Lists of other clients may be in flight in the same session.
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

    /** During one request, until it is closed. */
    final class RequestLog implements Predicate<Notification>, AutoCloseable {

        private final LogListener listener;
        private final @Nullable Object client;

        private RequestLog(LogListener listener, @Nullable Object client) {
            this.listener = listener;
            this.client = client;
        }

        /**
         * The server says something, during this request.
         *
         * @return whether it has logged, and anybody wants to know for whom
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
