package dev.orloj.runtime.start;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.ResourceKey;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/**
 * A bounded number of places, given out in turn to namespaces, and within a namespace to servers: a
 * thousand servers of one namespace hold up a server of another by one place. Thread-safe.
 */
final class StartQueue {

    /** Those that wait for a place for one server. */
    private static final class Line {
        private final Deque<CountDownLatch> waiting = new ArrayDeque<>();
    }

    @GuardedBy("this")
    private int free;

    /** Namespaces and their servers, each map in the order of the turns; none is empty. */
    @GuardedBy("this")
    private final LinkedHashMap<String, LinkedHashMap<ResourceKey, Line>> namespaces =
            new LinkedHashMap<>();

    StartQueue(int places) {
        this.free = places;
    }

    /** Waits for a place, which must be {@linkplain #giveBack given back}. */
    void take(ResourceKey server) throws InterruptedException {
        CountDownLatch granted = new CountDownLatch(1);
        synchronized (this) {
            if (free > 0) {
                free--;
                return;
            }
            namespaces
                    .computeIfAbsent(server.namespace(), n -> new LinkedHashMap<>())
                    .computeIfAbsent(server, s -> new Line())
                    .waiting
                    .add(granted);
        }
        try {
            granted.await();
        } catch (InterruptedException e) {
            if (!leave(server, granted)) {
                giveBack();
            }
            throw e;
        }
    }

    /** Gives a place to whose turn it is. */
    synchronized void giveBack() {
        Map.Entry<String, LinkedHashMap<ResourceKey, Line>> next = namespaces.pollFirstEntry();
        if (next == null) {
            free++;
            return;
        }
        LinkedHashMap<ResourceKey, Line> servers = next.getValue();
        Map.Entry<ResourceKey, Line> server = Objects.requireNonNull(servers.pollFirstEntry());
        Line line = server.getValue();
        line.waiting.remove().countDown();
        if (!line.waiting.isEmpty()) {
            servers.put(server.getKey(), line);
        }
        if (!servers.isEmpty()) {
            namespaces.put(next.getKey(), servers);
        }
    }

    /** Whether it was still waiting. */
    private synchronized boolean leave(ResourceKey server, CountDownLatch granted) {
        Map<ResourceKey, Line> servers = namespaces.get(server.namespace());
        Line line = servers == null ? null : servers.get(server);
        if (servers == null || line == null || !line.waiting.remove(granted)) {
            return false;
        }
        if (line.waiting.isEmpty()) {
            servers.remove(server);
        }
        if (servers.isEmpty()) {
            namespaces.remove(server.namespace());
        }
        return true;
    }
}
