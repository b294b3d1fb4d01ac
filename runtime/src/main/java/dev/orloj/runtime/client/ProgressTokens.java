package dev.orloj.runtime.client;

import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.RequestNumbers;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Maps the progress tokens of one session to the listeners of its calls. Thread-safe. */
final class ProgressTokens {

    private final RequestNumbers numbers = new RequestNumbers();
    private final ConcurrentMap<Long, Watcher> watchers = new ConcurrentHashMap<>();

    private record Watcher(RequestDeadline deadline, ProgressListener listener) {}

    /** A call whose progress is reported until it is closed. */
    record Watched(long token, ProgressTokens watch) implements AutoCloseable {

        @Override
        public void close() {
            watch.watchers.remove(token);
        }
    }

    /** Excludes the tokens of earlier connections to the same program. */
    void startAfter(int connections) {
        numbers.startAfter(connections);
    }

    Watched watch(RequestDeadline deadline, ProgressListener listener) {
        long token = numbers.next();
        watchers.put(token, new Watcher(deadline, listener));
        return new Watched(token, this);
    }

    /** Ignores progress of unknown or finished calls. */
    void progressed(@Nullable JsonNode params) {
        if (!(params instanceof ObjectNode notification)) {
            return;
        }
        OptionalLong token = RequestNumbers.sentBack(notification.get("progressToken"));
        Watcher watcher = token.isPresent() ? watchers.get(token.getAsLong()) : null;
        if (watcher != null) {
            watcher.deadline().progressed();
            watcher.listener().progressed(notification);
        }
    }
}
