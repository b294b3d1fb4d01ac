package dev.orloj.server.admission;

import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.v1.Secret;
import dev.orloj.api.validation.FieldError;
import dev.orloj.api.validation.FieldPath;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Hides the values that a kind declares sensitive, and puts them back where a document says {@value
 * Secret#REDACTED}. The annotation in which {@code kubectl apply} keeps the last manifest repeats
 * the values, so it is redacted as well.
 */
public final class SensitiveFields {

    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private SensitiveFields() {}

    /** The document as it may be shown: itself when nothing in it is sensitive, else a copy. */
    public static ObjectNode redact(KindDescriptor<?> kind, ObjectNode document) {
        if (kind.sensitiveFields().isEmpty()) {
            return document;
        }
        ObjectNode copy = document.deepCopy();
        hideValues(kind, copy);
        redactLastApplied(kind, copy);
        return copy;
    }

    /**
     * Puts stored values in the place of redacted ones.
     *
     * @return an error for each that stands for nothing
     */
    static List<FieldError> restore(
            KindDescriptor<?> kind, ObjectNode document, Optional<ObjectNode> before) {
        List<FieldError> errors = new ArrayList<>();
        for (String pointer : kind.sensitiveFields()) {
            if (!(document.at(pointer) instanceof ObjectNode values)) {
                continue;
            }
            for (Map.Entry<String, JsonNode> value : List.copyOf(values.properties())) {
                if (!value.getValue().asString("").equals(Secret.REDACTED)) {
                    continue;
                }
                JsonNode stored =
                        before.<JsonNode>map(b -> b.at(pointer).path(value.getKey()))
                                .orElseGet(MissingNode::getInstance);
                if (stored.isMissingNode()) {
                    errors.add(
                            FieldError.invalid(
                                    path(pointer).key(value.getKey()),
                                    Secret.REDACTED,
                                    "stands for a stored value, and none is stored under this key;"
                                            + " give the value"));
                } else {
                    values.set(value.getKey(), stored);
                }
            }
        }
        return errors;
    }

    /**
     * Hides the values that the last applied manifest repeats; drops the annotation when it cannot
     * be understood.
     */
    static void redactLastApplied(KindDescriptor<?> kind, ObjectNode document) {
        if (!kind.sensitiveFields().isEmpty()
                && document.at("/metadata/annotations") instanceof ObjectNode annotations
                && annotations.has(LAST_APPLIED)) {
            Optional<String> redacted =
                    redactManifest(kind, annotations.path(LAST_APPLIED).asString(""));
            if (redacted.isPresent()) {
                annotations.put(LAST_APPLIED, redacted.get());
            } else {
                annotations.remove(LAST_APPLIED);
            }
        }
    }

    private static Optional<String> redactManifest(KindDescriptor<?> kind, String text) {
        try {
            if (!(Json.MAPPER.readTree(text) instanceof ObjectNode manifest)) {
                return Optional.empty();
            }
            kind.normalizer().accept(manifest);
            kind.schema().prune(manifest);
            if (!kind.schema().validate(manifest).isEmpty()) {
                return Optional.empty();
            }
            hideValues(kind, manifest);
            return Optional.of(Json.MAPPER.writeValueAsString(manifest) + "\n");
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static void hideValues(KindDescriptor<?> kind, ObjectNode document) {
        for (String pointer : kind.sensitiveFields()) {
            if (document.at(pointer) instanceof ObjectNode values) {
                List.copyOf(values.propertyNames())
                        .forEach(key -> values.put(key, Secret.REDACTED));
            }
        }
    }

    private static FieldPath path(String pointer) {
        FieldPath path = FieldPath.root();
        for (String name : pointer.substring(1).split("/", -1)) {
            path = path.child(name);
        }
        return path;
    }
}
