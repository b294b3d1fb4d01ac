package dev.orloj.server.rest.token;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Status;
import dev.orloj.server.processing.Processing;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.RequestBody;
import dev.orloj.server.token.TokenServices;

import jakarta.servlet.http.HttpServletRequest;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The document in the body of a request for a token.
 *
 * @param group of the kind
 */
record TokenQuestion(ObjectNode root, String group, String kind) {

    private static final int MAX_TEXT = 256;

    static TokenQuestion read(
            HttpServletRequest request, Processing processing, String group, String kind)
            throws IOException, InterruptedException {
        MediaTypes.requireJson(MediaTypes.accepted(request.getHeader("Accept")));
        RequestBody body = RequestBody.read(request);
        TokenQuestion question =
                new TokenQuestion(processing.run(request, body::document).root(), group, kind);
        question.requireText("apiVersion", group + "/v1");
        question.requireText("kind", kind);
        return question;
    }

    static TokenServices require(Optional<TokenServices> services) {
        return services.orElseThrow(
                () ->
                        new ApiException(
                                ErrorReason.NOT_FOUND,
                                "orlojd issues and knows tokens only with an HTTPS port: start it"
                                        + " with --https-port"));
    }

    private void requireText(String field, String expected) {
        if (!root.path(field).asString(expected).equals(expected)) {
            throw ApiException.badRequest(
                    "%s: this path takes %s, found %s"
                            .formatted(field, expected, root.path(field)));
        }
    }

    /** Returns a text of bounded length; empty when there is none. */
    String text(String parent, String field) {
        JsonNode value = root.path(parent).path(field);
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        return checked(FieldPath.of(parent).child(field), value);
    }

    private String checked(FieldPath path, JsonNode value) {
        if (!value.isString()) {
            throw invalid(FieldError.typeInvalid(path, value.toString(), "must be a string"));
        }
        String text = value.asString();
        if (text.length() > MAX_TEXT) {
            throw invalid(FieldError.tooLong(path, MAX_TEXT));
        }
        return text;
    }

    /** Returns a list of texts that are not empty, of bounded length. */
    List<String> texts(String parent, String field, int most) {
        FieldPath path = FieldPath.of(parent).child(field);
        JsonNode values = root.path(parent).path(field);
        if (values.isMissingNode() || values.isNull()) {
            return List.of();
        }
        if (!values.isArray()) {
            throw invalid(FieldError.typeInvalid(path, values.toString(), "must be a list"));
        }
        if (values.size() > most) {
            throw invalid(FieldError.tooMany(path, values.size(), most, "items"));
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode value : values) {
            FieldPath item = path.index(texts.size());
            String text = checked(item, value);
            if (text.isEmpty()) {
                throw invalid(FieldError.required(item, ""));
            }
            texts.add(text);
        }
        return texts.stream().distinct().toList();
    }

    /** Returns a number of seconds, of at least ten minutes; empty when there is none. */
    Optional<Long> seconds(String field) {
        JsonNode value = root.path("spec").path(field);
        FieldPath path = FieldPath.of("spec").child(field);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw invalid(FieldError.typeInvalid(path, value.toString(), "must be a whole number"));
        }
        if (value.asLong() < 600) {
            throw invalid(
                    FieldError.invalid(
                            path,
                            value.asLong(),
                            "may not specify a duration less than 10 minutes"));
        }
        if (value.asLong() > 1L << 32) {
            throw invalid(
                    FieldError.invalid(
                            path,
                            value.asLong(),
                            "may not specify a duration larger than 2^32 seconds"));
        }
        return Optional.of(value.asLong());
    }

    ApiException invalid(FieldError error) {
        String name = root.at("/metadata/name").asString("");
        return new ApiException(
                ErrorReason.INVALID,
                "%s.%s \"%s\" is invalid: %s".formatted(kind, group, name, error),
                new Status.Details(
                        name,
                        group,
                        kind,
                        "",
                        List.of(
                                new Status.Cause(
                                        error.type().name(),
                                        error.message(),
                                        error.path().toString())),
                        0));
    }
}
