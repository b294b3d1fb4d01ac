package dev.orloj.runtime.observation;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Keeps the latest ended calls in memory, up to a fixed number. Omits calls without an id.
 * Thread-safe and lock-free: a new call replaces the oldest one.
 */
public final class RecentCalls implements CallObserver {

    private final AtomicReferenceArray<CallRecord> ring;
    private final AtomicLong count = new AtomicLong();

    public RecentCalls(int capacity) {
        this.ring = new AtomicReferenceArray<>(capacity);
    }

    @Override
    public void called(CallRecord call) {
        if (!call.id().equals(CallId.NONE)) {
            ring.set(place(count.getAndIncrement()), call);
        }
    }

    /** Returns the maximum number of calls. */
    public int capacity() {
        return ring.length();
    }

    public Optional<CallRecord> find(String id) {
        return newestFirst().filter(call -> call.id().text().equals(id)).findFirst();
    }

    /** Returns the calls, latest first. */
    public List<CallRecord> list() {
        return newestFirst().toList();
    }

    private Stream<CallRecord> newestFirst() {
        long end = count.get();
        return LongStream.rangeClosed(1, Math.min(end, ring.length()))
                .mapToObj(back -> Optional.ofNullable(ring.get(place(end - back))))
                // An index is incremented shortly before its entry is written.
                .flatMap(Optional::stream);
    }

    private int place(long number) {
        return (int) (number % ring.length());
    }
}
