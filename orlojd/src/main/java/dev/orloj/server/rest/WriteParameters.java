package dev.orloj.server.rest;

import dev.orloj.server.admission.FieldValidation;
import dev.orloj.server.registry.WriteOptions;

/** Reads how a write is meant from the query. */
final class WriteParameters {

    private WriteParameters() {}

    /**
     * @throws dev.orloj.api.ApiException (BadRequest) naming the parameter and the remedy
     */
    static WriteOptions of(Query query) {
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
        return new WriteOptions(mode, isDryRun(query));
    }

    static boolean isDryRun(Query query) {
        String stage = query.text("dryRun");
        if (!stage.isEmpty() && !stage.equals("All")) {
            throw Query.invalid("dryRun", stage, "must be All");
        }
        return !stage.isEmpty();
    }
}
