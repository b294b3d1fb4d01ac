package dev.orloj.api.v1;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.GoDuration;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/** Validates the limits of an McpServer beyond its schema. */
final class McpServerLimitRules {

    private static final FieldPath SPEC = FieldPath.of("spec");

    private McpServerLimitRules() {}

    static void validate(McpServerSpec spec, List<FieldError> errors) {
        requirePositive(SPEC.child("startup_timeout"), spec.lifetime().startupTimeout(), errors);
        McpServer.RateLimit rate = spec.calls().rateLimit();
        if (rate != null) {
            requirePositive(SPEC.child("rate_limit").child("period"), rate.period(), errors);
        }
        McpServer.CircuitBreaker breaker = spec.calls().circuitBreaker();
        if (breaker != null) {
            FieldPath path = SPEC.child("circuit_breaker");
            requirePositive(path.child("window"), breaker.window(), errors);
            requirePositive(path.child("open_for"), breaker.openFor(), errors);
        }
        if (spec.renewal().health() != null) {
            requirePositive(
                    SPEC.child("health").child("timeout"),
                    spec.renewal().health().timeout(),
                    errors);
        }
        if (spec.sharing().allowsOneSession()) {
            validateSingleton(spec, errors);
        }
        validateScope(spec, errors);
        validateSessionsOfUsers(spec, errors);
    }

    /** Requires sessions for each user if requests have tokens for their users. */
    private static void validateSessionsOfUsers(McpServerSpec spec, List<FieldError> errors) {
        McpServerSpec.Auth auth = spec.http().auth();
        if (auth == null || auth.oauth() == null || !auth.oauth().exchangesTokens()) {
            return;
        }
        String why = "the exchange of tokens in spec.auth.oauth requires a session for each user";
        if (spec.sharing().allowsOneSession()) {
            errors.add(FieldError.invalid(SPEC.child("singleton"), true, "must be absent: " + why));
        }
        if (spec.sharing().sessionScope() == McpServer.SessionScope.SHARED) {
            errors.add(
                    FieldError.invalid(
                            SPEC.child("session_scope"), "shared", "must be absent: " + why));
        }
        Integer sessions = spec.sharing().maxSessions();
        if (sessions != null && sessions == 1) {
            errors.add(
                    FieldError.invalid(
                            SPEC.child("max_sessions"), 1, "must be at least 2: " + why));
        }
    }

    /** Requires more than one session if clients get their own sessions. */
    private static void validateScope(McpServerSpec spec, List<FieldError> errors) {
        McpServer.SessionScope scope = spec.sharing().sessionScope();
        if (scope == null || scope == McpServer.SessionScope.SHARED) {
            return;
        }
        Integer sessions = spec.sharing().maxSessions();
        String why =
                spec.sharing().allowsOneSession()
                        ? "singleton is true"
                        : sessions != null && sessions == 1 ? "max_sessions is 1" : "";
        if (!why.isEmpty()) {
            errors.add(
                    FieldError.invalid(
                            SPEC.child("session_scope"),
                            scope.name().toLowerCase(Locale.ROOT),
                            "must be shared or absent, for " + why));
        }
    }

    private static void validateSingleton(McpServerSpec spec, List<FieldError> errors) {
        Integer sessions = spec.sharing().maxSessions();
        if (sessions != null && sessions > 1) {
            errors.add(
                    FieldError.invalid(
                            SPEC.child("max_sessions"),
                            sessions,
                            "must be 1 or absent, for singleton is true"));
        }
        GoDuration grace = spec.lifetime().shutdownGrace();
        if (grace != null && grace.toDuration().compareTo(McpServer.MAX_SINGLETON_GRACE) > 0) {
            errors.add(
                    FieldError.invalid(
                            SPEC.child("shutdown_grace"),
                            grace.text(),
                            "must be at most %ds, for singleton is true: a replica that loses the server must have ended it before another may start it"
                                    .formatted(McpServer.MAX_SINGLETON_GRACE.toSeconds())));
        }
    }

    private static void requirePositive(
            FieldPath path, @Nullable GoDuration given, List<FieldError> errors) {
        if (given != null && given.toDuration().isZero()) {
            errors.add(FieldError.invalid(path, given.text(), "must be longer than 0"));
        }
    }
}
