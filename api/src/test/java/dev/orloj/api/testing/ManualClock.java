package dev.orloj.api.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until a test advances it. Safe for many threads. */
public final class ManualClock implements InstantSource {

    private final AtomicReference<Instant> now;

    public ManualClock(Instant start) {
        now = new AtomicReference<>(start);
    }

    /** Starts at a whole second of a fixed day. */
    public ManualClock() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    public void advance(Duration step) {
        now.updateAndGet(time -> time.plus(step));
    }
}
