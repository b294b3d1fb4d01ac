package dev.orloj.runtime.session;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Has those hear what a server logs in one session for whose requests it does so. The session is
 * everybody's: what nothing tells the request of belongs to the only one that goes on, or to nobody
 * in particular. Thread-safe.
 */
final class LogRelay {

    private final Set<Hearing> requests = ConcurrentHashMap.newKeySet();

    /** A request begins. */
    Hearing join(LogListener listener) {
        Hearing hearing = new Hearing(listener);
        requests.add(hearing);
        return hearing;
    }

    /**
     * The server logs, and nothing tells for which request.
     *
     * @return whether it was for somebody in particular
     */
    boolean logged(@Nullable JsonNode params) {
        Iterator<Hearing> each = requests.iterator();
        if (!each.hasNext()) {
            return false;
        }
        Hearing only = each.next();
        return !each.hasNext() && only.logged(params);
    }

    /** During one request, until it is closed. */
    final class Hearing implements Predicate<Notification>, AutoCloseable {

        private final LogListener listener;

        private Hearing(LogListener listener) {
            this.listener = listener;
        }

        /**
         * The server says something, during this request.
         *
         * @return whether it has logged, and anybody wants to know for whom
         */
        @Override
        public boolean test(Notification news) {
            return news.method().equals(LogListener.METHOD) && logged(news.params());
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
