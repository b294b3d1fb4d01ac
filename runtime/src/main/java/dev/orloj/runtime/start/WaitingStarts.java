package dev.orloj.runtime.start;

import static java.util.Objects.requireNonNull;

import dev.orloj.api.ResourceKey;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;

/**
 * The starts of a namespace that wait for a slot. Three kinds take turns: the server that came
 * last, the server that has waited longest, and repeated starts, which are retries after a failure
 * and further sessions of a server that waits already. Thus a server that is created beside a
 * thousand others does not wait for all of them, and none of them waits forever. Not thread-safe.
 */
final class WaitingStarts {

    private enum Turn {
        LONGEST_WAITING,
        LAST_COME,
        REPEATED
    }

    /** At most one start for each server, in the order in which they came. */
    private final LinkedHashMap<ResourceKey, CountDownLatch> firsts = new LinkedHashMap<>();

    /** The repeated starts of servers, in the order of their turns; no deque is empty. */
    private final LinkedHashMap<ResourceKey, Deque<CountDownLatch>> repeated =
            new LinkedHashMap<>();

    private Turn turn = Turn.LONGEST_WAITING;

    void add(ResourceKey server, CountDownLatch granted, boolean retry) {
        if (retry || firsts.putIfAbsent(server, granted) != null) {
            repeated.computeIfAbsent(server, s -> new ArrayDeque<>()).add(granted);
        }
    }

    /** Removes a start, and returns whether it was waiting. */
    boolean remove(ResourceKey server, CountDownLatch granted) {
        if (firsts.remove(server, granted)) {
            return true;
        }
        Deque<CountDownLatch> starts = repeated.get(server);
        if (starts == null || !starts.remove(granted)) {
            return false;
        }
        if (starts.isEmpty()) {
            repeated.remove(server);
        }
        return true;
    }

    boolean isEmpty() {
        return firsts.isEmpty() && repeated.isEmpty();
    }

    /**
     * Removes the start whose turn it is, and returns it.
     *
     * @throws NoSuchElementException if no start waits
     */
    CountDownLatch next() {
        Turn next = turn;
        if (repeated.isEmpty() && next == Turn.REPEATED) {
            next = Turn.LONGEST_WAITING;
        } else if (firsts.isEmpty()) {
            next = Turn.REPEATED;
        }
        turn = Turn.values()[(next.ordinal() + 1) % Turn.values().length];
        return switch (next) {
            case LONGEST_WAITING -> requireNonNull(firsts.pollFirstEntry()).getValue();
            case LAST_COME -> requireNonNull(firsts.pollLastEntry()).getValue();
            case REPEATED -> nextRepeated();
        };
    }

    private CountDownLatch nextRepeated() {
        Map.Entry<ResourceKey, Deque<CountDownLatch>> server = repeated.pollFirstEntry();
        if (server == null) {
            throw new NoSuchElementException("no start waits");
        }
        CountDownLatch start = server.getValue().remove();
        if (!server.getValue().isEmpty()) {
            repeated.put(server.getKey(), server.getValue());
        }
        return start;
    }
}
