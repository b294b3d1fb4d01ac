package dev.orloj.server.rest.review;

import dev.orloj.api.ApiException;
import dev.orloj.api.GoDuration;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a client wants to have reviewed: a stored server, or a manifest.
 *
 * @param server the name of a stored server; empty with a manifest
 * @param manifest of a server that need not be stored
 * @param companions manifests that come with it
 * @param start whether to try the server out
 * @param timeout what the server has to start and to list its tools
 */
record ReviewRequest(
        String server,
        Optional<ObjectNode> manifest,
        List<ObjectNode> companions,
        boolean start,
        Duration timeout) {

    static final String API_VERSION = "orloj.dev/v1";
    static final String KIND = "McpServerReview";

    static final Duration USUAL_TIMEOUT = Duration.ofSeconds(60);
    static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(5);
    static final int MAX_COMPANIONS = 100;

    private static final Set<String> FIELDS =
            Set.of("server", "manifest", "companions", "start", "timeout");

    /**
     * @throws ApiException (BadRequest) naming the field
     */
    static ReviewRequest of(ObjectNode document) {
        requireText(document, "apiVersion", API_VERSION);
        requireText(document, "kind", KIND);
        if (!(document.path("spec") instanceof ObjectNode spec)) {
            throw ApiException.badRequest("spec: must be an object with server, or with manifest");
        }
        for (String field : spec.propertyNames()) {
            if (!FIELDS.contains(field)) {
                throw ApiException.badRequest("spec.%s: unknown field".formatted(field));
            }
        }
        String server = spec.path("server").asString("");
        JsonNode manifest = spec.path("manifest");
        if (server.isEmpty() == manifest.isMissingNode()) {
            throw ApiException.badRequest("spec: must have either server or manifest");
        }
        if (!manifest.isMissingNode() && !manifest.isObject()) {
            throw ApiException.badRequest("spec.manifest: must be an object");
        }
        return new ReviewRequest(
                server,
                manifest instanceof ObjectNode object ? Optional.of(object) : Optional.empty(),
                companions(spec.path("companions")),
                spec.path("start").booleanValue(true),
                timeout(spec.path("timeout")));
    }

    private static void requireText(ObjectNode document, String field, String expected) {
        if (!document.path(field).asString(expected).equals(expected)) {
            throw ApiException.badRequest(
                    "%s: this path takes %s, found %s"
                            .formatted(field, expected, document.path(field)));
        }
    }

    private static List<ObjectNode> companions(JsonNode list) {
        if (list.size() > MAX_COMPANIONS) {
            throw ApiException.badRequest(
                    "spec.companions: has %d manifests, and at most %d are taken"
                            .formatted(list.size(), MAX_COMPANIONS));
        }
        List<ObjectNode> companions = new ArrayList<>();
        for (JsonNode companion : list) {
            if (!(companion instanceof ObjectNode object)) {
                throw ApiException.badRequest("spec.companions: each must be an object");
            }
            companions.add(object);
        }
        return companions;
    }

    private static Duration timeout(JsonNode text) {
        if (text.isMissingNode() || text.isNull()) {
            return USUAL_TIMEOUT;
        }
        try {
            Duration timeout = new GoDuration(text.asString("")).toDuration();
            if (timeout.isPositive() && timeout.compareTo(LONGEST_TIMEOUT) <= 0) {
                return timeout;
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw ApiException.badRequest(
                "spec.timeout: must be a duration up to %s, such as 30s, found %s"
                        .formatted(GoDuration.of(LONGEST_TIMEOUT).text(), text));
    }
}
