package dev.orloj.controllers.workqueue;

import java.time.Duration;

/**
 * Receives measurements for each key that a worker takes. Implementations must be thread-safe and
 * fast.
 */
public interface WorkTimings {

    /** Discards all measurements. */
    WorkTimings NONE =
            new WorkTimings() {
                @Override
                public void waited(Duration time) {}

                @Override
                public void worked(Duration time) {}
            };

    /** Reports how long a key waited for a worker, from the time when it was due. */
    void waited(Duration time);

    /** Reports how long the work on a key took, whether it succeeded or not. */
    void worked(Duration time);
}
