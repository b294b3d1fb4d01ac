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
 * A fixed number of slots, granted in turn to namespaces, and within a namespace to servers: a
 * thousand servers of one namespace delay a server of another one by one slot only. Thread-safe.
 */
final class StartQueue {

    /** The waiting starts of one server. */
    private static final class Line {
        private final Deque<CountDownLatch> waiting = new ArrayDeque<>();
    }

    @GuardedBy("this")
    private int free;

    /**
     * Namespaces and their servers; both maps are in the order of their turns and contain no empty
     * entries.
     */
    @GuardedBy("this")
    private final LinkedHashMap<String, LinkedHashMap<ResourceKey, Line>> namespaces =
            new LinkedHashMap<>();

    StartQueue(int places) {
        this.free = places;
    }

    /** Waits for a slot, which must be {@linkplain #giveBack given back}. */
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

    /** Releases a slot and grants it to the next start. */
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

    /** Removes a waiting start, and returns whether it was still waiting. */
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
