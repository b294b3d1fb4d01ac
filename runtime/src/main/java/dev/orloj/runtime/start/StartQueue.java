package dev.orloj.runtime.start;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.ResourceKey;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A fixed number of slots, granted in turn to namespaces: a thousand servers of one namespace delay
 * a server of another one by one slot only. {@link WaitingStarts} has the order within a namespace.
 * Thread-safe.
 */
final class StartQueue {

    @GuardedBy("this")
    private int free;

    /** The waiting starts of namespaces, in the order of their turns; none of them is empty. */
    @GuardedBy("this")
    private final LinkedHashMap<String, WaitingStarts> namespaces = new LinkedHashMap<>();

    StartQueue(int places) {
        this.free = places;
    }

    /**
     * Waits for a slot, which must be {@linkplain #giveBack given back}.
     *
     * @param retry whether the last start of the server failed
     */
    void take(ResourceKey server, boolean retry) throws InterruptedException {
        CountDownLatch granted = new CountDownLatch(1);
        synchronized (this) {
            if (free > 0) {
                free--;
                return;
            }
            namespaces
                    .computeIfAbsent(server.namespace(), n -> new WaitingStarts())
                    .add(server, granted, retry);
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
        Map.Entry<String, WaitingStarts> next = namespaces.pollFirstEntry();
        if (next == null) {
            free++;
            return;
        }
        WaitingStarts starts = next.getValue();
        starts.next().countDown();
        if (!starts.isEmpty()) {
            namespaces.put(next.getKey(), starts);
        }
    }

    /** Removes a waiting start, and returns whether it was still waiting. */
    private synchronized boolean leave(ResourceKey server, CountDownLatch granted) {
        WaitingStarts starts = namespaces.get(server.namespace());
        if (starts == null || !starts.remove(server, granted)) {
            return false;
        }
        if (starts.isEmpty()) {
            namespaces.remove(server.namespace());
        }
        return true;
    }
}
