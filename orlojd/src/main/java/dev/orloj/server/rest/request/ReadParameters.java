package dev.orloj.server.rest.request;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.FieldSelector;
import dev.orloj.api.LabelSelector;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.ListOptions;
import dev.orloj.server.rest.http.QueryParameters;

import java.util.Map;
import java.util.Optional;

/**
 * The parameters of a list or a watch.
 *
 * @param atLeast the requested revision; unset when it is absent or 0
 * @param initialEvents whether a watch starts with the present state, when the client sets it
 */
public record ReadParameters(
        LabelSelector labels,
        FieldSelector fields,
        int limit,
        String continueToken,
        ResourceVersion atLeast,
        Optional<Match> match,
        Optional<Boolean> initialEvents) {

    /** How the revision is matched. */
    enum Match {
        NOT_OLDER_THAN,
        EXACT
    }

    /** Enough for any page; a larger limit has the same effect. */
    private static final int MAX_LIMIT = 1_000_000;

    /**
     * @throws ApiException (BadRequest, Invalid) naming the parameter and the remedy
     */
    public static ReadParameters of(QueryParameters query) {
        Optional<Match> match =
                query.choice(
                        "resourceVersionMatch",
                        Map.of("NotOlderThan", Match.NOT_OLDER_THAN, "Exact", Match.EXACT));
        boolean says = query.has("sendInitialEvents");
        ReadParameters parameters =
                new ReadParameters(
                        LabelSelector.parse(query.text("labelSelector")),
                        FieldSelector.parse(query.text("fieldSelector")),
                        Math.min(query.number("limit").orElse(0), MAX_LIMIT),
                        query.text("continue"),
                        query.resourceVersion(),
                        match,
                        says ? Optional.of(query.isOn("sendInitialEvents")) : Optional.empty());
        if (query.isOn("watch")) {
            parameters.checkWatch();
        } else {
            parameters.checkList(query.has("resourceVersion"));
        }
        return parameters;
    }

    private void checkWatch() {
        boolean notOlder = match.equals(Optional.of(Match.NOT_OLDER_THAN));
        if (initialEvents.isPresent() && !notOlder) {
            throw forbidden(
                    "sendInitialEvents",
                    "resourceVersionMatch=NotOlderThan is required together with it");
        }
        if (initialEvents.isEmpty() && match.isPresent()) {
            throw forbidden(
                    "resourceVersionMatch", "of a watch it goes only with sendInitialEvents");
        }
    }

    private void checkList(boolean versionIsGiven) {
        if (initialEvents.isPresent()) {
            throw forbidden("sendInitialEvents", "it goes only with watch=true");
        }
        if (match.isPresent() && !continueToken.isEmpty()) {
            throw forbidden("resourceVersionMatch", "it may not go with continue");
        }
        if (match.isPresent() && !versionIsGiven) {
            throw forbidden("resourceVersionMatch", "it needs a resourceVersion");
        }
        if (isExact() && !atLeast.isSet()) {
            throw forbidden("resourceVersionMatch", "Exact needs a resourceVersion other than 0");
        }
        if (atLeast.isSet() && !continueToken.isEmpty()) {
            throw ApiException.badRequest(
                    "query parameter \"resourceVersion\": it may not go with continue; the token"
                            + " says the revision");
        }
    }

    private static ApiException forbidden(String parameter, String why) {
        return new ApiException(ErrorReason.INVALID, "%s: Forbidden: %s".formatted(parameter, why));
    }

    /** Whether the list has to show the state at exactly the given revision. */
    public boolean isExact() {
        return match.equals(Optional.of(Match.EXACT));
    }

    public ListOptions in(String namespace) {
        return new ListOptions(namespace, labels, fields, limit, continueToken, atLeast);
    }
}
