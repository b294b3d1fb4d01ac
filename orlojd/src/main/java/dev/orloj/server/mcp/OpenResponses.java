package dev.orloj.server.mcp;

import dev.orloj.runtime.clock.Scheduler;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Checks the responses in progress periodically and turns slow ones into streams. One task serves
 * all of them, because one for each would wake its thread with every call. Thread-safe.
 */
final class OpenResponses {

    /**
     * A response that takes longer than this becomes a stream. No proxy or client gives up a
     * connection so soon. A longer time is better: some clients cannot read an event of more than 1
     * MiB, and all can read such a document.
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
            clock.schedule(LOOK_PERIOD, this::look);
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
