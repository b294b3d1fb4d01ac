package dev.orloj.server.rest.request;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;
import dev.orloj.server.admission.FieldValidation;
import dev.orloj.server.authentication.AuthenticationGuard;
import dev.orloj.server.registry.WriteOptions;
import dev.orloj.server.rest.http.HttpExchange;
import dev.orloj.server.rest.http.QueryParameters;

import java.util.List;

/** Reads the options of a write from the query. */
public final class WriteParameters {

    private WriteParameters() {}

    /**
     * @throws ApiException (BadRequest) naming the parameter and the remedy, (Invalid) for an
     *     invalid field manager
     */
    public static WriteOptions of(HttpExchange exchange) {
        return of(exchange, FieldManager.of(exchange));
    }

    /** Like {@link #of}, for an apply, which requires a field manager. */
    public static WriteOptions ofApply(HttpExchange exchange) {
        if (exchange.query().text("fieldManager").isEmpty()) {
            throw invalid("FieldValueRequired", "Required value: is required for apply patch");
        }
        return of(exchange);
    }

    private static WriteOptions of(HttpExchange exchange, String fieldManager) {
        QueryParameters query = exchange.query();
        String validation = query.text("fieldValidation");
        FieldValidation mode =
                validation.isEmpty()
                        ? FieldValidation.WARN
                        : FieldValidation.ofWireName(validation)
                                .orElseThrow(
                                        () ->
                                                QueryParameters.invalid(
                                                        "fieldValidation",
                                                        validation,
                                                        "must be Ignore, Warn or Strict"));
        return new WriteOptions(mode, isDryRun(query), fieldManager)
                .by(AuthenticationGuard.user(exchange.request()));
    }

    static boolean isDryRun(QueryParameters query) {
        String stage = query.text("dryRun");
        if (!stage.isEmpty() && !stage.equals("All")) {
            throw QueryParameters.invalid("dryRun", stage, "must be All");
        }
        return !stage.isEmpty();
    }

    /** The error for the parameter {@code fieldManager}, in the form of Kubernetes. */
    static ApiException invalid(String reason, String why) {
        Status.Cause cause = new Status.Cause(reason, why, "fieldManager");
        return new ApiException(
                ErrorReason.INVALID,
                "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: " + why,
                new Status.Details("", "meta.k8s.io", "PatchOptions", "", List.of(cause), 0));
    }
}
