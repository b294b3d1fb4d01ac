package dev.orloj.server.rest.request;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.http.QueryParameters;
import dev.orloj.server.rest.http.RequestBody;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads the options of a deletion from the body and the query. */
public final class DeleteParameters {

    private static final List<String> POLICIES =
            Arrays.stream(Propagation.values()).map(Propagation::wireName).toList();

    private DeleteParameters() {}

    /**
     * @throws ApiException (BadRequest, Invalid, UnsupportedMediaType)
     */
    public static DeleteOptions of(QueryParameters query, RequestBody body) {
        JsonNode options = body.isEmpty() ? Json.MAPPER.createObjectNode() : body.document().root();
        if (!options.path("kind").asString("DeleteOptions").equals("DeleteOptions")) {
            throw ApiException.badRequest(
                    "the body of a deletion must be of kind DeleteOptions, found %s"
                            .formatted(options.path("kind")));
        }
        JsonNode preconditions = options.path("preconditions");
        return new DeleteOptions(
                text(preconditions, "uid"),
                ResourceVersion.parse(text(preconditions, "resourceVersion")),
                isDryRun(options.path("dryRun")) | WriteParameters.isDryRun(query),
                propagation(options, query));
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

    private static @Nullable Propagation propagation(JsonNode options, QueryParameters query) {
        String inBody = text(options, "propagationPolicy");
        String policy = inBody.isEmpty() ? query.text("propagationPolicy") : inBody;
        Optional<Boolean> orphan = orphanDependents(options, query);
        if (policy.isEmpty()) {
            return orphan.map(yes -> yes ? Propagation.ORPHAN : Propagation.BACKGROUND)
                    .orElse(null);
        }
        if (orphan.isPresent()) {
            throw invalid(
                    FieldError.invalid(
                            FieldPath.of("propagationPolicy"),
                            policy,
                            "orphanDependents and propagationPolicy cannot be both set"));
        }
        return Propagation.of(policy)
                .orElseThrow(
                        () ->
                                invalid(
                                        FieldError.notSupported(
                                                FieldPath.of("propagationPolicy"),
                                                policy,
                                                POLICIES)));
    }

    /** The older form of the propagation policy. */
    private static Optional<Boolean> orphanDependents(JsonNode options, QueryParameters query) {
        JsonNode inBody = options.path("orphanDependents");
        String given =
                inBody.isMissingNode() || inBody.isNull()
                        ? query.text("orphanDependents")
                        : inBody.asString("");
        return switch (given) {
            case "" -> Optional.empty();
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default ->
                    throw ApiException.badRequest(
                            "DeleteOptions: \"orphanDependents\" must be true or false, found "
                                    + given);
        };
    }

    private static ApiException invalid(FieldError error) {
        return new ApiException(ErrorReason.INVALID, "DeleteOptions is invalid: " + error);
    }
}
