package dev.orloj.server.metrics;

import dev.orloj.runtime.examination.ResultDecision;
import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.observation.CallRecord;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Logs calls at level DEBUG, with the id that {@code orlojctl trace} accepts, and at level WARN
 * what was found in results: at most one line in ten seconds, with the number of those left out.
 * Thread-safe.
 */
public final class CallLog implements CallObserver {

    private static final Logger log = LoggerFactory.getLogger(CallLog.class);
    private static final long PERIOD = Duration.ofSeconds(10).toNanos();

    private final LongSupplier nanos;
    private final AtomicLong next;
    private final AtomicLong leftOut = new AtomicLong();

    public CallLog() {
        this(System::nanoTime);
    }

    CallLog(LongSupplier nanos) {
        this.nanos = nanos;
        this.next = new AtomicLong(nanos.getAsLong());
    }

    @Override
    public void called(CallRecord call) {
        call.decision().ifPresent(decision -> warn(call, decision));
        log.atDebug()
                .addKeyValue("callId", call.id())
                .addKeyValue("tool", call.tool())
                .addKeyValue("caller", call.caller())
                .addKeyValue("outcome", call.outcome())
                .addKeyValue("millis", call.duration().toMillis())
                .log("Tool call ended");
    }

    private void warn(CallRecord call, ResultDecision decision) {
        long now = nanos.getAsLong();
        long due = next.get();
        if (now - due < 0 || !next.compareAndSet(due, now + PERIOD)) {
            leftOut.incrementAndGet();
            return;
        }
        log.atWarn()
                .addKeyValue("callId", call.id())
                .addKeyValue("tool", call.tool())
                .addKeyValue("action", decision.action().action())
                .addKeyValue(
                        "kinds",
                        decision.findings().stream()
                                .map(finding -> finding.kind().wireName())
                                .collect(Collectors.joining(",")))
                .addKeyValue("leftOut", leftOut.getAndSet(0))
                .log("Result has findings");
    }
}
