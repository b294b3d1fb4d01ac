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

    @GuardedBy("this")
    private int free;

    /**
     * The waiting starts of namespaces and their servers; both maps are in the order of their turns
     * and contain no empty entries.
     */
    @GuardedBy("this")
    private final LinkedHashMap<String, LinkedHashMap<ResourceKey, Deque<CountDownLatch>>>
            namespaces = new LinkedHashMap<>();

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
                    .computeIfAbsent(server, s -> new ArrayDeque<>())
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
        Map.Entry<String, LinkedHashMap<ResourceKey, Deque<CountDownLatch>>> next =
                namespaces.pollFirstEntry();
        if (next == null) {
            free++;
            return;
        }
        LinkedHashMap<ResourceKey, Deque<CountDownLatch>> servers = next.getValue();
        Map.Entry<ResourceKey, Deque<CountDownLatch>> server =
                Objects.requireNonNull(servers.pollFirstEntry());
        Deque<CountDownLatch> waiting = server.getValue();
        waiting.remove().countDown();
        if (!waiting.isEmpty()) {
            servers.put(server.getKey(), waiting);
        }
        if (!servers.isEmpty()) {
            namespaces.put(next.getKey(), servers);
        }
    }

    /** Removes a waiting start, and returns whether it was still waiting. */
    private synchronized boolean leave(ResourceKey server, CountDownLatch granted) {
        Map<ResourceKey, Deque<CountDownLatch>> servers = namespaces.get(server.namespace());
        Deque<CountDownLatch> waiting = servers == null ? null : servers.get(server);
        if (servers == null || waiting == null || !waiting.remove(granted)) {
            return false;
        }
        if (waiting.isEmpty()) {
            servers.remove(server);
        }
        if (servers.isEmpty()) {
            namespaces.remove(server.namespace());
        }
        return true;
    }
}
