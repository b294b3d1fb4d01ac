package dev.orloj.server.apply;

import dev.orloj.api.codec.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads and updates the annotation in which client-side {@code kubectl apply} keeps what it sent.
 */
final class LastApplied {

    static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

    /** The limit for all annotations together. */
    private static final int MAX_BYTES = 256 * 1024;

    private LastApplied() {}

    /**
     * Returns the last applied configuration; empty when the annotation is missing or belongs to
     * another version of the kind.
     */
    static Optional<ObjectNode> of(ObjectNode document) {
        String text = annotations(document).path(ANNOTATION).asString("");
        try {
            return !text.isEmpty()
                            && Json.MAPPER.readTree(text) instanceof ObjectNode applied
                            && applied.path("apiVersion").equals(document.path("apiVersion"))
                    ? Optional.of(applied)
                    : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /**
     * Updates an existing annotation to match the applied configuration, so that the client can
     * return to client-side apply.
     */
    static void refresh(ObjectNode document, ObjectNode config) {
        if (!(annotations(document) instanceof ObjectNode annotations)
                || annotations.path(ANNOTATION).asString("").isEmpty()) {
            return;
        }
        ObjectNode applied = config.deepCopy();
        if (annotations(applied) instanceof ObjectNode own) {
            own.remove(ANNOTATION);
        }
        annotations.put(ANNOTATION, Json.MAPPER.writeValueAsString(applied) + "\n");
        if (size(annotations) > MAX_BYTES) {
            annotations.remove(ANNOTATION);
        }
    }

    private static JsonNode annotations(ObjectNode document) {
        return document.path("metadata").path("annotations");
    }

    private static int size(ObjectNode annotations) {
        int size = 0;
        for (var annotation : annotations.properties()) {
            size += annotation.getKey().getBytes(StandardCharsets.UTF_8).length;
            size += annotation.getValue().asString("").getBytes(StandardCharsets.UTF_8).length;
        }
        return size;
    }
}
