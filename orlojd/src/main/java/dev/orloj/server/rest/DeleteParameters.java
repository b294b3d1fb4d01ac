package dev.orloj.server.rest;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.validation.FieldError;
import dev.orloj.api.validation.FieldPath;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Reads how a deletion is meant, from the body and from the query. */
final class DeleteParameters {

    private DeleteParameters() {}

    /**
     * @throws ApiException (BadRequest, Invalid, UnsupportedMediaType)
     */
    static DeleteOptions of(Query query, RequestBody body) {
        JsonNode options = body.isEmpty() ? Json.MAPPER.createObjectNode() : body.document().root();
        if (!options.path("kind").asString("DeleteOptions").equals("DeleteOptions")) {
            throw ApiException.badRequest(
                    "the body of a deletion must be of kind DeleteOptions, found %s"
                            .formatted(options.path("kind")));
        }
        String propagation = text(options, "propagationPolicy");
        requireBackground(propagation.isEmpty() ? query.text("propagationPolicy") : propagation);
        JsonNode preconditions = options.path("preconditions");
        return new DeleteOptions(
                text(preconditions, "uid"),
                ResourceVersion.parse(text(preconditions, "resourceVersion")),
                isDryRun(options.path("dryRun")) | WriteParameters.isDryRun(query));
    }

    private static String text(JsonNode options, String field) {
        JsonNode value = options.path(field);
        if (!value.isMissingNode() && !value.isNull() && !value.isString()) {
            throw ApiException.badRequest(
                    "DeleteOptions: \"%s\" must be text, found %s".formatted(field, value));
        }
        return value.asString("");
    }

    private static boolean isDryRun(JsonNode stages) {
        boolean all = stages.valueStream().allMatch(stage -> stage.asString("").equals("All"));
        if (!all || !(stages.isArray() || stages.isMissingNode() || stages.isNull())) {
            throw ApiException.badRequest(
                    "DeleteOptions: \"dryRun\" must be [\"All\"], found " + stages);
        }
        return !stages.isEmpty();
    }

    /** Dependents go after their owner; other orders are refused rather than ignored. */
    private static void requireBackground(String policy) {
        if (!policy.isEmpty() && !policy.equals("Background")) {
            FieldError error =
                    FieldError.notSupported(
                            FieldPath.of("propagationPolicy"), policy, List.of("Background"));
            throw new ApiException(ErrorReason.INVALID, "DeleteOptions is invalid: " + error);
        }
    }
}
