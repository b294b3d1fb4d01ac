package dev.orloj.server.mcp;

import dev.orloj.runtime.clock.Scheduler;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The answers that are being made, looked at now and then: those that take their time become
 * streams. One alarm for all of them, since one for each would wake its thread with every call.
 * Thread-safe.
 */
final class OpenResponses {

    /**
     * A document that has not come by then will not be the whole answer. No proxy or client takes a
     * connection for dead so soon, and the longer, the better: some clients cannot read an event of
     * more than 1 MiB, and all can read such a document.
     */
    static final Duration STREAM_AFTER = Duration.ofSeconds(10);

    private static final Duration LOOK_PERIOD = Duration.ofMillis(250);

    private final Scheduler clock;
    private final ConcurrentMap<StreamableHttpResponse, Long> open = new ConcurrentHashMap<>();
    private final AtomicBoolean looking = new AtomicBoolean();

    OpenResponses(Scheduler clock) {
        this.clock = clock;
    }

    void add(StreamableHttpResponse answer) {
        open.put(answer, clock.millis());
        lookSoon();
    }

    void remove(StreamableHttpResponse answer) {
        open.remove(answer);
    }

    private void lookSoon() {
        if (looking.compareAndSet(false, true)) {
            clock.ring(LOOK_PERIOD, this::look);
        }
    }

    private void look() {
        long late = clock.millis() - STREAM_AFTER.toMillis();
        for (Map.Entry<StreamableHttpResponse, Long> answer : open.entrySet()) {
            if (answer.getValue() <= late && open.remove(answer.getKey(), answer.getValue())) {
                answer.getKey().startStream();
            }
        }
        looking.set(false);
        if (!open.isEmpty()) {
            lookSoon();
        }
    }
}
