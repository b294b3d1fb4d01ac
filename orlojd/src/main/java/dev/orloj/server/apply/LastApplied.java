package dev.orloj.server.apply;

import dev.orloj.api.codec.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The annotation in which {@code kubectl apply}, without the server's help, keeps what it sent. */
final class LastApplied {

    static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

    /** Of all annotations together. */
    private static final int MAX_BYTES = 256 * 1024;

    private LastApplied() {}

    /** What was last applied to a document; empty when it does not say, or not for this view. */
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
     * Keeps the annotation, where there is one, in step with what is applied, so that the client
     * may go back to its old ways.
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
