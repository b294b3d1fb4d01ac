package dev.orloj.runtime.limit;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

/**
 * Refuses calls for a while after too many calls were lost. Counts lost calls, not a rate: the
 * breaker records only lost calls while it is closed, so that all recorded calls have failed.
 * Thread-safe.
 */
final class CallBreaker {

    private static final float ALL = 100;
    private static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);

    private final CallLimits.Breaker settings;
    private final InstantSource clock;
    private final CircuitBreaker breaker;
    private volatile Instant opensUntil = Instant.EPOCH;
    private volatile String lastCause = "";

    CallBreaker(CallLimits.Breaker settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.breaker =
                CircuitBreaker.of(
                        "calls",
                        CircuitBreakerConfig.custom()
                                .slidingWindowType(SlidingWindowType.TIME_BASED)
                                .slidingWindowSize(seconds(settings.window()))
                                .minimumNumberOfCalls(settings.failures())
                                .failureRateThreshold(ALL)
                                .permittedNumberOfCallsInHalfOpenState(1)
                                .waitDurationInOpenState(settings.openFor())
                                .clock(clock.withZone(ZoneOffset.UTC))
                                .currentTimestampFunction(
                                        time -> time.millis(), TimeUnit.MILLISECONDS)
                                .build());
        breaker.getEventPublisher()
                .onStateTransition(
                        event -> {
                            if (event.getStateTransition().getToState() == State.OPEN) {
                                opensUntil = clock.instant().plus(settings.openFor());
                            }
                        });
    }

    private static int seconds(Duration window) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, window.plusMillis(999).toSeconds()));
    }

    void require() {
        if (!breaker.tryAcquirePermission()) {
            Duration left = Duration.between(clock.instant(), opensUntil);
            throw new LimitReachedException(
                    Limit.CIRCUIT_BREAKER,
                    "circuit_breaker is open after %d calls lost within %d s"
                            .formatted(settings.failures(), seconds(settings.window())),
                    "the last one failed: " + lastCause,
                    left.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : left);
        }
    }

    void answered() {
        if (breaker.getState() == State.CLOSED) {
            breaker.releasePermission();
        } else {
            breaker.onSuccess(0, TimeUnit.MILLISECONDS);
        }
    }

    void lost(RuntimeException cause) {
        lastCause = String.valueOf(cause.getMessage());
        breaker.onError(0, TimeUnit.MILLISECONDS, cause);
    }

    /**
     * Releases the permit of a trial call in the half-open state, so that the next call may try.
     */
    void undecided() {
        breaker.releasePermission();
    }
}
