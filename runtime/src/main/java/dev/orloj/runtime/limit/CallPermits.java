package dev.orloj.runtime.limit;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Lets calls of one server begin, as its {@link CallLimits} have it. Thread-safe; two servers share
 * nothing here.
 *
 * <p>Two bulkheads make the queue: who comes into the outer one may be working or waiting, who
 * comes into the inner one works. Only waiting for the inner one blocks.
 */
public final class CallPermits {

    private static final Duration SOON = Duration.ofSeconds(1);

    private final CallLimits limits;
    private final Bulkhead present;
    private final Bulkhead working;
    private final Optional<CallRate> rate;
    private final Optional<CallBreaker> breaker;

    private CallPermits(CallLimits limits, InstantSource clock, Supplier<Long> nanoTime) {
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
     * @param nanoTime runs on as the clock does
     */
    static CallPermits of(CallLimits limits, InstantSource clock, Supplier<Long> nanoTime) {
        return new CallPermits(limits, clock, nanoTime);
    }

    public CallLimits limits() {
        return limits;
    }

    /**
     * Permission for one call, to be closed when the call has ended. Waits in the queue when there
     * is one and room in it.
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
            // Last, so that those who waited learn that waiting has become pointless.
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
        // The library gives an interrupted wait up and leaves the flag.
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
