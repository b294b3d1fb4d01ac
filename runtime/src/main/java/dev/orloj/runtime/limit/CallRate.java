package dev.orloj.runtime.limit;

import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;

import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Limits the rate at which calls may begin: a number of calls per period, with consecutive periods.
 * Lock-free.
 */
final class CallRate {

    private final CallLimits.Rate allowed;

    /** The class instead of the interface, which does not report when permits will be available. */
    private final AtomicRateLimiter limiter;

    CallRate(CallLimits.Rate allowed, Supplier<Long> nanoTime) {
        this.allowed = allowed;
        this.limiter =
                new AtomicRateLimiter(
                        "calls",
                        RateLimiterConfig.custom()
                                .limitForPeriod(allowed.calls())
                                .limitRefreshPeriod(allowed.period())
                                .timeoutDuration(Duration.ZERO)
                                .build(),
                        Map.of(),
                        nanoTime);
    }

    void require() {
        if (!limiter.acquirePermission(1)) {
            throw new LimitReachedException(
                    Limit.RATE_LIMIT,
                    "rate_limit is %d calls in %d ms"
                            .formatted(allowed.calls(), allowed.period().toMillis()),
                    Duration.ofNanos(limiter.getDetailedMetrics().getNanosToWait()));
        }
    }
}
