package dev.orloj.api.v1;

import dev.orloj.api.GoDuration;
import dev.orloj.api.validation.FieldError;
import dev.orloj.api.validation.FieldPath;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What holds for the limits of an McpServer beyond its schema. */
final class McpServerLimitRules {

    private static final FieldPath SPEC = FieldPath.of("spec");

    private McpServerLimitRules() {}

    static void validate(McpServer.Spec spec, List<FieldError> errors) {
        requirePositive(SPEC.child("startup_timeout"), spec.startupTimeout(), errors);
        McpServer.RateLimit rate = spec.rateLimit();
        if (rate != null) {
            requirePositive(SPEC.child("rate_limit").child("period"), rate.period(), errors);
        }
        McpServer.CircuitBreaker breaker = spec.circuitBreaker();
        if (breaker != null) {
            FieldPath path = SPEC.child("circuit_breaker");
            requirePositive(path.child("window"), breaker.window(), errors);
            requirePositive(path.child("open_for"), breaker.openFor(), errors);
        }
        if (spec.health() != null) {
            requirePositive(SPEC.child("health").child("timeout"), spec.health().timeout(), errors);
        }
    }

    private static void requirePositive(
            FieldPath path, @Nullable GoDuration given, List<FieldError> errors) {
        if (given != null && given.toDuration().isZero()) {
            errors.add(FieldError.invalid(path, given.text(), "must be longer than 0"));
        }
    }
}
