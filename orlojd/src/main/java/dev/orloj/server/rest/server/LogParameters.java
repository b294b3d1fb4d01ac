package dev.orloj.server.rest.server;

import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.server.rest.http.QueryParameters;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/**
 * Selects a part of a log, with the parameters of Kubernetes.
 *
 * @param container whose log, empty when there is no choice
 * @param tailLines at most this number of the last lines
 * @param since omits earlier lines
 * @param limitBytes truncates the log after this number
 */
record LogParameters(
        String container,
        boolean follow,
        boolean previous,
        boolean timestamps,
        int tailLines,
        Instant since,
        int limitBytes) {

    /**
     * @throws dev.orloj.api.ApiException (BadRequest) naming the parameter and the remedy
     */
    static LogParameters of(QueryParameters query, Instant now) {
        return new LogParameters(
                query.text("container"),
                query.isOn("follow"),
                query.isOn("previous"),
                query.isOn("timestamps"),
                query.number("tailLines").orElse(LogBuffer.CAPACITY),
                since(query, now),
                atLeastOne(query, "limitBytes"));
    }

    private static Instant since(QueryParameters query, Instant now) {
        String time = query.text("sinceTime");
        if (time.isEmpty()) {
            return query.has("sinceSeconds")
                    ? now.minus(Duration.ofSeconds(atLeastOne(query, "sinceSeconds")))
                    : Instant.MIN;
        }
        if (query.has("sinceSeconds")) {
            throw QueryParameters.invalid("sinceTime", time, "it may not go with sinceSeconds");
        }
        try {
            return OffsetDateTime.parse(time).toInstant();
        } catch (DateTimeParseException e) {
            throw QueryParameters.invalid("sinceTime", time, "must be like 2026-01-31T12:00:00Z");
        }
    }

    private static int atLeastOne(QueryParameters query, String name) {
        int number = query.number(name).orElse(Integer.MAX_VALUE);
        if (number == 0) {
            throw QueryParameters.invalid(name, "0", "must be 1 or more");
        }
        return number;
    }
}
