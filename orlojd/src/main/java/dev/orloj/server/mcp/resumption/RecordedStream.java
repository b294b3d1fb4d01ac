package dev.orloj.server.mcp.resumption;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Records one stream of events to a client, across the connections that carry it. One connection
 * holds it at a time; a connection that resumes it takes it over. Thread-safe.
 */
public final class RecordedStream {

    private final RecordedStreams all;
    private final String session;
    private final StreamKind kind;
    private final String name;
    private final Runnable abandoned;
    private final InstantSource clock;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Deque<RecordedEvent> events = new ArrayDeque<>();

    @GuardedBy("lock")
    private long last = 0;

    /** The number of the latest required event that is no longer kept. */
    @GuardedBy("lock")
    private long lost = 0;

    @GuardedBy("lock")
    private @Nullable Object holder;

    /** The number of the latest event that the connection has received. */
    @GuardedBy("lock")
    private long sent = 0;

    /** When the stream was opened, lost its connection, or ended. */
    @GuardedBy("lock")
    private long since;

    @GuardedBy("lock")
    private boolean ended = false;

    @GuardedBy("lock")
    private boolean superseded = false;

    /**
     * @param holder the connection that carries it first
     * @param abandoned run when no client resumes it in time
     */
    RecordedStream(
            RecordedStreams all,
            String session,
            StreamKind kind,
            String name,
            InstantSource clock,
            Object holder,
            Runnable abandoned) {
        this.all = all;
        this.session = session;
        this.kind = kind;
        this.name = name;
        this.clock = clock;
        this.holder = holder;
        this.abandoned = abandoned;
        this.since = clock.millis();
    }

    String session() {
        return session;
    }

    StreamKind kind() {
        return kind;
    }

    String name() {
        return name;
    }

    /** Returns the id after which a client resumes that has not received any message. */
    public EventId beginning() {
        return new EventId(kind, name, 0);
    }

    /**
     * Records a message. A required message that is too large to keep, or that is evicted later,
     * makes resumption before it impossible.
     */
    public EventId append(byte[] content, boolean droppable) {
        RecordedEvent event;
        lock.lock();
        try {
            last++;
            event =
                    new RecordedEvent(
                            new EventId(kind, name, last), content, droppable, clock.millis());
            events.add(event);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        all.added(this, event);
        return event.id();
    }

    /** Like {@link #append}, unless an equal message is still waiting to be sent. */
    public void appendOnce(byte[] content, boolean droppable) {
        lock.lock();
        try {
            for (RecordedEvent event : events) {
                if (event.id().number() > sent && event.isSameAs(content)) {
                    return;
                }
            }
        } finally {
            lock.unlock();
        }
        append(content, droppable);
    }

    /** Makes a connection the holder of the stream. */
    public void hold(Object connection) {
        lock.lock();
        try {
            holder = connection;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public boolean isHeldBy(Object connection) {
        lock.lock();
        try {
            return holder == connection;
        } finally {
            lock.unlock();
        }
    }

    /** Releases the stream when its connection is lost; a client may resume it. */
    public void release(Object connection) {
        boolean over = false;
        lock.lock();
        try {
            if (holder == connection) {
                holder = null;
                since = clock.millis();
                over = superseded;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (over) {
            all.forget(this);
        } else {
            all.watch();
        }
    }

    /** Ends the stream; the recorded events stay available for a while. */
    public void end() {
        lock.lock();
        try {
            ended = true;
            since = clock.millis();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        all.watch();
    }

    /**
     * Returns the events after one, waiting up to a limit; an empty list when there are none yet.
     *
     * @return empty when there will be none, a required one is no longer kept, or another
     *     connection holds the stream
     */
    public Optional<List<RecordedEvent>> after(long number, Object connection, Duration most)
            throws InterruptedException {
        long nanos = most.toNanos();
        lock.lock();
        try {
            while (true) {
                if (holder != connection || number < lost) {
                    return Optional.empty();
                }
                sent = number;
                List<RecordedEvent> next =
                        events.stream().filter(event -> event.id().number() > number).toList();
                if (!next.isEmpty() || nanos <= 0) {
                    return Optional.of(next);
                }
                if (ended) {
                    return Optional.empty();
                }
                nanos = changed.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    boolean hasEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns whether no required event is missing for a client that received everything up to this
     * number.
     */
    boolean canResumeAfter(long number) {
        lock.lock();
        try {
            return number >= lost && number <= last;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Marks the stream to be discarded together with its connection.
     *
     * @return whether it has no connection
     */
    boolean supersede() {
        lock.lock();
        try {
            superseded = true;
            return holder == null;
        } finally {
            lock.unlock();
        }
    }

    /** Drops the oldest droppable event. */
    Optional<RecordedEvent> dropDroppable() {
        lock.lock();
        try {
            for (Iterator<RecordedEvent> each = events.iterator(); each.hasNext(); ) {
                RecordedEvent event = each.next();
                if (event.droppable()) {
                    each.remove();
                    return Optional.of(event);
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    void drop(RecordedEvent event) {
        lock.lock();
        try {
            events.remove(event);
            lost = event.droppable() ? lost : event.id().number();
        } finally {
            lock.unlock();
        }
    }

    Optional<RecordedEvent> dropOldest() {
        lock.lock();
        try {
            Optional<RecordedEvent> oldest = Optional.ofNullable(events.poll());
            oldest.ifPresent(event -> lost = event.id().number());
            return oldest;
        } finally {
            lock.unlock();
        }
    }

    /** Drops the oldest event if it is from before this time. */
    Optional<RecordedEvent> dropBefore(long time) {
        lock.lock();
        try {
            RecordedEvent oldest = events.peek();
            if (oldest == null || oldest.at() >= time) {
                return Optional.empty();
            }
            events.remove();
            lost = oldest.droppable() ? lost : oldest.id().number();
            return Optional.of(oldest);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the stream has ended, or has had no connection, since before this time. */
    boolean isOverSince(long time) {
        lock.lock();
        try {
            return (holder == null || ended) && since < time;
        } finally {
            lock.unlock();
        }
    }

    /** Discards the stream. */
    void forget() {
        boolean running;
        lock.lock();
        try {
            running = !ended;
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (running) {
            abandoned.run();
        }
    }
}
