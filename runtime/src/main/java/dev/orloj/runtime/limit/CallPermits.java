package dev.orloj.runtime.limit;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Grants permits for calls of one server within its {@link CallLimits}. Servers share no state.
 * Thread-safe.
 *
 * <p>Two bulkheads implement the queue: calls in the outer one are running or waiting, calls in the
 * inner one are running. Only the inner one blocks.
 */
public final class CallPermits {

    private static final Duration SOON = Duration.ofSeconds(1);

    private final CallLimits limits;
    private final Bulkhead present;
    private final Bulkhead working;
    private final Optional<CallRate> rate;
    private final Optional<CallBreaker> breaker;

    /**
     * @param nanoTime advances like the clock
     */
    CallPermits(CallLimits limits, InstantSource clock, Supplier<Long> nanoTime) {
        this.limits = limits;
        this.present =
                bulkhead("present", limits.maxConcurrent() + limits.maxQueued(), Duration.ZERO);
        this.working = bulkhead("working", limits.maxConcurrent(), limits.queueTimeout());
        this.rate = limits.rate().map(allowed -> new CallRate(allowed, nanoTime));
        this.breaker = limits.breaker().map(settings -> new CallBreaker(settings, clock));
    }

    public static CallPermits of(CallLimits limits) {
        return new CallPermits(limits, InstantSource.system(), System::nanoTime);
    }

    /**
     * Acquires a permit, to be closed when the call has ended. Waits in the queue if there is one
     * and it is not full.
     *
     * @throws LimitReachedException when the call may not begin
     */
    public CallPermit acquire() throws InterruptedException {
        rate.ifPresent(CallRate::require);
        enter(present, Limit.MAX_CONCURRENT_CALLS);
        boolean entered = false;
        try {
            enter(working, Limit.QUEUE_TIMEOUT);
            entered = true;
            // Last, so that calls that waited are refused if the breaker opened in the meantime.
            breaker.ifPresent(CallBreaker::require);
            return new CallPermit(present, working, breaker);
        } catch (LimitReachedException | InterruptedException e) {
            if (entered) {
                working.onComplete();
            }
            present.onComplete();
            throw e;
        }
    }

    private void enter(Bulkhead bulkhead, Limit limit) throws InterruptedException {
        if (bulkhead.tryAcquirePermission()) {
            return;
        }
        // The library gives up an interrupted wait and keeps the interrupt flag.
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        throw new LimitReachedException(limit, full(limit), SOON);
    }

    private String full(Limit limit) {
        String busy = "max_concurrent_calls is %d".formatted(limits.maxConcurrent());
        if (limits.maxQueued() == 0) {
            return busy;
        }
        return limit == Limit.QUEUE_TIMEOUT
                ? "%s, and none ended within queue_timeout, %d ms"
                        .formatted(busy, limits.queueTimeout().toMillis())
                : "%s, and max_queued_calls, %d, wait".formatted(busy, limits.maxQueued());
    }

    private static Bulkhead bulkhead(String name, int room, Duration timeout) {
        return Bulkhead.of(
                name,
                BulkheadConfig.custom().maxConcurrentCalls(room).maxWaitDuration(timeout).build());
    }
}
