package dev.orloj.runtime.reading;

import java.util.concurrent.atomic.AtomicBoolean;

/** The memory reserved for one response; releasing it again has no effect. */
public final class HeldAnswer implements AutoCloseable {

    static final HeldAnswer FREE = new HeldAnswer(() -> {});

    private final Runnable release;
    private final AtomicBoolean released = new AtomicBoolean();

    HeldAnswer(Runnable release) {
        this.release = release;
    }

    @Override
    public void close() {
        if (this != FREE && released.compareAndSet(false, true)) {
            release.run();
        }
    }
}
