package dev.orloj.server.rest;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;
import dev.orloj.server.admission.FieldValidation;
import dev.orloj.server.registry.WriteOptions;

import java.util.List;

/** Reads how a write is meant from the query. */
final class WriteParameters {

    private WriteParameters() {}

    /**
     * @throws ApiException (BadRequest) naming the parameter and the remedy, (Invalid) for a field
     *     manager that is none
     */
    static WriteOptions of(Exchange exchange) {
        return of(exchange, FieldManager.of(exchange));
    }

    /** As {@link #of}, for an apply: a program that applies has to say who it is. */
    static WriteOptions ofApply(Exchange exchange) {
        if (exchange.query().text("fieldManager").isEmpty()) {
            throw invalid("FieldValueRequired", "Required value: is required for apply patch");
        }
        return of(exchange);
    }

    private static WriteOptions of(Exchange exchange, String fieldManager) {
        Query query = exchange.query();
        String validation = query.text("fieldValidation");
        FieldValidation mode =
                validation.isEmpty()
                        ? FieldValidation.WARN
                        : FieldValidation.ofWireName(validation)
                                .orElseThrow(
                                        () ->
                                                Query.invalid(
                                                        "fieldValidation",
                                                        validation,
                                                        "must be Ignore, Warn or Strict"));
        return new WriteOptions(mode, isDryRun(query), fieldManager);
    }

    static boolean isDryRun(Query query) {
        String stage = query.text("dryRun");
        if (!stage.isEmpty() && !stage.equals("All")) {
            throw Query.invalid("dryRun", stage, "must be All");
        }
        return !stage.isEmpty();
    }

    /** What is wrong with the parameter {@code fieldManager}, as Kubernetes says it. */
    static ApiException invalid(String reason, String why) {
        Status.Cause cause = new Status.Cause(reason, why, "fieldManager");
        return new ApiException(
                ErrorReason.INVALID,
                "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: " + why,
                new Status.Details("", "meta.k8s.io", "PatchOptions", "", List.of(cause), 0));
    }
}
