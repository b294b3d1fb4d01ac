package dev.orloj.server.mcp.resumption;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.clock.Scheduler;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Records the events that this replica sends on the streams of sessions, for clients that lose
 * their connection and resume. Bounded by count, bytes and age; drops events of the largest session
 * first. Thread-safe.
 */
public final class RecordedStreams {

    private static final Duration LOOK_PERIOD = Duration.ofSeconds(5);
    private static final int RADIX = 36;

    /** The streams of one session and their size. */
    private static final class Session {
        private final Map<String, RecordedStream> streams = new LinkedHashMap<>();
        private int events = 0;
        private long bytes = 0;
    }

    private final Scheduler clock;
    private final RecordingLimits limits;

    /** Differs between replicas, and between runs of one replica. */
    private final String prefix = Long.toString(new SecureRandom().nextLong(1L << 60), RADIX);

    private final AtomicLong lastStream = new AtomicLong();
    private final AtomicBoolean looking = new AtomicBoolean();

    @GuardedBy("this")
    private final Map<String, Session> sessions = new HashMap<>();

    @GuardedBy("this")
    private long bytes = 0;

    public RecordedStreams(Scheduler clock, RecordingLimits limits) {
        this.clock = clock;
        this.limits = limits;
    }

    /**
     * Opens a stream.
     *
     * @param connection carries the stream
     * @param abandoned run when the connection is lost and no client resumes the stream in time
     */
    public RecordedStream open(
            String session, StreamKind kind, Object connection, Runnable abandoned) {
        String name = prefix + Long.toString(lastStream.incrementAndGet(), RADIX);
        RecordedStream stream =
                new RecordedStream(this, session, kind, name, clock, connection, abandoned);
        Optional<RecordedStream> tooMany;
        synchronized (this) {
            Session known = sessions.computeIfAbsent(session, s -> new Session());
            known.streams.put(name, stream);
            tooMany =
                    known.streams.size() > limits.events()
                            ? Optional.of(leastNeeded(known.streams.values()))
                            : Optional.empty();
            tooMany.ifPresent(first -> remove(known, first));
        }
        tooMany.ifPresent(RecordedStream::forget);
        watch();
        return stream;
    }

    /** Returns the oldest stream that has ended, otherwise the oldest. */
    private static RecordedStream leastNeeded(Collection<RecordedStream> streams) {
        return streams.stream()
                .filter(RecordedStream::hasEnded)
                .findFirst()
                .orElseGet(() -> streams.iterator().next());
    }

    /**
     * Handles a client that opens a new stream of unsolicited messages without resuming one: none
     * of its earlier streams is kept longer than its connection.
     */
    public void supersede(String session) {
        List<RecordedStream> before = new ArrayList<>();
        synchronized (this) {
            Session known = sessions.get(session);
            if (known != null) {
                before.addAll(known.streams.values());
            }
        }
        before.stream()
                .filter(stream -> stream.kind() == StreamKind.GET && stream.supersede())
                .forEach(this::forget);
    }

    void forget(RecordedStream stream) {
        synchronized (this) {
            Session session = sessions.get(stream.session());
            if (session != null && session.streams.get(stream.name()) == stream) {
                remove(session, stream);
            }
        }
        stream.forget();
    }

    @GuardedBy("this")
    private void remove(Session session, RecordedStream stream) {
        for (Optional<RecordedEvent> event = stream.dropOldest();
                event.isPresent();
                event = stream.dropOldest()) {
            count(session, event.get(), -1);
        }
        session.streams.remove(stream.name());
    }

    /**
     * Resumes the stream of an event, if it belongs to the session and no required event is
     * missing. The connection becomes its holder.
     */
    public Optional<RecordedStream> resume(String session, EventId last, Object connection) {
        RecordedStream found;
        synchronized (this) {
            Session known = sessions.get(session);
            found = known == null ? null : known.streams.get(last.stream());
        }
        if (found == null || found.kind() != last.kind() || !found.canResumeAfter(last.number())) {
            return Optional.empty();
        }
        found.hold(connection);
        return Optional.of(found);
    }

    /** Discards the streams of a session that has ended. */
    public void forget(String session) {
        List<RecordedStream> streams = new ArrayList<>();
        synchronized (this) {
            Session over = sessions.remove(session);
            if (over != null) {
                bytes -= over.bytes;
                streams.addAll(over.streams.values());
            }
        }
        streams.forEach(RecordedStream::forget);
    }

    /** Returns the size of all recorded events. */
    public synchronized long bytes() {
        return bytes;
    }

    synchronized void added(RecordedStream stream, RecordedEvent event) {
        Session session = sessions.get(stream.session());
        if (session == null || session.streams.get(stream.name()) != stream) {
            stream.drop(event); // the stream is no longer kept
            return;
        }
        if (event.content().length > limits.bytes()) {
            stream.drop(event);
            return;
        }
        count(session, event, 1);
        while (session.events > limits.events() || session.bytes > limits.bytes()) {
            dropOne(session);
        }
        while (bytes > limits.allBytes()) {
            dropOne(largest());
        }
    }

    @GuardedBy("this")
    private void count(Session session, RecordedEvent event, int sign) {
        session.events += sign;
        session.bytes += (long) sign * event.content().length;
        bytes += (long) sign * event.content().length;
    }

    /** Drops a droppable event, if there is one, otherwise the oldest; the oldest stream first. */
    @GuardedBy("this")
    private void dropOne(Session session) {
        RecordedEvent dropped =
                first(session, RecordedStream::dropDroppable)
                        .or(() -> first(session, RecordedStream::dropOldest))
                        .orElseThrow();
        count(session, dropped, -1);
    }

    private static Optional<RecordedEvent> first(
            Session session, Function<RecordedStream, Optional<RecordedEvent>> drop) {
        return session.streams.values().stream()
                .flatMap(stream -> drop.apply(stream).stream())
                .findFirst();
    }

    @GuardedBy("this")
    private Session largest() {
        return sessions.values().stream()
                .max((a, b) -> Long.compare(a.bytes, b.bytes))
                .orElseThrow();
    }

    /** Schedules a check for expired events. */
    void watch() {
        if (looking.compareAndSet(false, true)) {
            clock.schedule(LOOK_PERIOD, this::look);
        }
    }

    private void look() {
        // Before the look, so that what comes during it is looked at again.
        looking.set(false);
        long oldest = clock.millis() - limits.age().toMillis();
        List<RecordedStream> over = new ArrayList<>();
        boolean some;
        synchronized (this) {
            for (Iterator<Session> each = sessions.values().iterator(); each.hasNext(); ) {
                Session session = each.next();
                over.addAll(dropBefore(session, oldest));
                if (session.streams.isEmpty()) {
                    each.remove();
                }
            }
            some = !sessions.isEmpty();
        }
        over.forEach(RecordedStream::forget);
        if (some) {
            watch();
        }
    }

    /** Drops expired events; returns the streams that are no longer kept. */
    @GuardedBy("this")
    private List<RecordedStream> dropBefore(Session session, long oldest) {
        List<RecordedStream> over = new ArrayList<>();
        for (Iterator<RecordedStream> each = session.streams.values().iterator();
                each.hasNext(); ) {
            RecordedStream stream = each.next();
            boolean isOver = stream.isOverSince(oldest);
            long before = isOver ? Long.MAX_VALUE : oldest;
            for (Optional<RecordedEvent> old = stream.dropBefore(before);
                    old.isPresent();
                    old = stream.dropBefore(before)) {
                count(session, old.get(), -1);
            }
            if (isOver) {
                each.remove();
                over.add(stream);
            }
        }
        return over;
    }
}
