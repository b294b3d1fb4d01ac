package dev.orloj.server.access.limits;

import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.properties.CallerLimitProperties;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Refuses requests of a user who has too many, as kube-apiserver does; others are not affected. */
public final class CallerLimiter {

    private static final int TOO_MANY_REQUESTS = 429;
    private static final byte[] TEXT =
            "Too many requests, please try again later.\n".getBytes(StandardCharsets.UTF_8);

    private final CallerLimits limits;
    private final Map<CallerLimits.Limit, Counter> refused =
            new EnumMap<>(CallerLimits.Limit.class);

    public CallerLimiter(CallerLimitProperties limits, MeterRegistry metrics) {
        this.limits = new CallerLimits(limits, System::nanoTime);
        for (CallerLimits.Limit limit : CallerLimits.Limit.values()) {
            refused.put(
                    limit,
                    Counter.builder("orloj.caller.refusals")
                            .description("Requests refused because their user has too many")
                            .tag("limit", limit.name().toLowerCase(Locale.ROOT))
                            .register(metrics));
        }
    }

    /**
     * Admits a request, until its admission is closed. Empty when the user has too many: the
     * response is complete then.
     */
    public Optional<CallerLimits.Admission> admit(
            UserInfo user, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try {
            long size = Math.max(0, request.getContentLengthLong());
            return Optional.of(limits.enter(user.username(), size));
        } catch (CallerLimits.LimitExceededException e) {
            Objects.requireNonNull(refused.get(e.limit())).increment();
            response.setStatus(TOO_MANY_REQUESTS);
            response.setHeader("Retry-After", "1");
            response.setContentType("text/plain; charset=utf-8");
            response.setHeader("X-Content-Type-Options", "nosniff");
            response.getOutputStream().write(TEXT);
            return Optional.empty();
        }
    }
}
