package dev.orloj.controllers.workqueue;

import java.time.Duration;

/** Is called for each key that a worker takes. Safe for many threads, and quick. */
public interface WorkTimings {

    /** For those that nothing is to be measured of. */
    WorkTimings NONE =
            new WorkTimings() {
                @Override
                public void waited(Duration time) {}

                @Override
                public void worked(Duration time) {}
            };

    /** How long a key waited for a worker, from the time when it was due. */
    void waited(Duration time);

    /** How long the work on a key took, whether it succeeded or not. */
    void worked(Duration time);
}
