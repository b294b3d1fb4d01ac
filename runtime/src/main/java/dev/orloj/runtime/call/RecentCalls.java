package dev.orloj.runtime.call;

import dev.orloj.runtime.trace.CallId;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The latest calls that have ended, a bounded number of them, in memory. Those without an id are
 * left out. Thread-safe and lock-free: a new call takes the place of the oldest one.
 */
public final class RecentCalls implements CallListener {

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

    /** How many calls are kept at most. */
    public int capacity() {
        return ring.length();
    }

    public Optional<CallRecord> find(String id) {
        return newestFirst().filter(call -> call.id().text().equals(id)).findFirst();
    }

    /** All that are kept, the latest one first. */
    public List<CallRecord> list() {
        return newestFirst().toList();
    }

    private Stream<CallRecord> newestFirst() {
        long end = count.get();
        return LongStream.rangeClosed(1, Math.min(end, ring.length()))
                .mapToObj(back -> Optional.ofNullable(ring.get(place(end - back))))
                // A place is counted a moment before it is taken.
                .flatMap(Optional::stream);
    }

    private int place(long number) {
        return (int) (number % ring.length());
    }
}
