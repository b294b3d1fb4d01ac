package dev.orloj.server.rest.http;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Holds the responses that have no end of their own. It ends them before the web server waits for
 * its requests, so that none delays the shutdown. Safe for many threads.
 */
@Component
public class OpenStreams implements SmartLifecycle {

    private final Set<Registration> open = ConcurrentHashMap.newKeySet();
    private volatile boolean running;
    private volatile boolean stopped;

    public OpenStreams(MeterRegistry metrics) {
        Gauge.builder("orloj.streams.open", open, Set::size)
                .description("Watches, followed logs and streams of agents that clients have open")
                .register(metrics);
        Gauge.builder("orloj.watches.open", open, OpenStreams::watches)
                .description("Watches that clients have open")
                .register(metrics);
    }

    private static long watches(Set<Registration> open) {
        return open.stream().filter(stream -> stream.isWatch).count();
    }

    /** One open stream; closing the registration removes it. */
    public final class Registration implements AutoCloseable {

        private final Runnable end;

        private final boolean isWatch;

        private Registration(Runnable end, boolean isWatch) {
            this.end = end;
            this.isWatch = isWatch;
        }

        @Override
        public void close() {
            open.remove(this);
        }
    }

    /**
     * @param end makes the stream end soon; called from another thread, at most twice
     */
    public Registration register(Runnable end) {
        return register(new Registration(end, false));
    }

    /** Like {@link #register(Runnable)}, for a watch of resources. */
    public Registration registerWatch(Runnable end) {
        return register(new Registration(end, true));
    }

    private Registration register(Registration registration) {
        open.add(registration);
        if (stopped) {
            registration.end.run();
        }
        return registration;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        stopped = true;
        running = false;
        open.forEach(stream -> stream.end.run());
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Starts last and stops first: before the web server's graceful shutdown. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}
