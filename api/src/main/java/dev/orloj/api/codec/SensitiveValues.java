package dev.orloj.api.codec;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;

/**
 * Masks the values that a kind declares sensitive, for display and for files that people read. Also
 * masks the annotation in which {@code kubectl apply} stores the last manifest, because it repeats
 * the values.
 */
public final class SensitiveValues {

    /** Replaces a value. It is not base64, so it is never mistaken for a value. */
    public static final String MASK = "***";

    /** The annotation with the last manifest. */
    public static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private SensitiveValues() {}

    /**
     * Returns the document for display: unchanged if nothing in it is sensitive, otherwise a masked
     * copy.
     */
    public static ObjectNode masked(KindDescriptor<?> kind, ObjectNode document) {
        if (kind.sensitiveFields().isEmpty()) {
            return document;
        }
        ObjectNode copy = document.deepCopy();
        maskValues(kind, copy);
        if (copy.at("/metadata/annotations") instanceof ObjectNode annotations
                && annotations.has(LAST_APPLIED)) {
            maskManifest(kind, annotations.path(LAST_APPLIED).asString(""))
                    .ifPresentOrElse(
                            masked -> annotations.put(LAST_APPLIED, masked),
                            () -> annotations.remove(LAST_APPLIED));
        }
        return copy;
    }

    /** Returns empty if the positions of the values in the text are unknown. */
    private static Optional<String> maskManifest(KindDescriptor<?> kind, String text) {
        try {
            if (!(Json.MAPPER.readTree(text) instanceof ObjectNode manifest)) {
                return Optional.empty();
            }
            if (!manifest.path("apiVersion").asString("").equals(kind.kind().apiVersion())) {
                return Optional.empty();
            }
            kind.normalizer().accept(manifest);
            kind.schema().prune(manifest);
            if (!kind.schema().validate(manifest).isEmpty()) {
                return Optional.empty();
            }
            maskValues(kind, manifest);
            return Optional.of(Json.MAPPER.writeValueAsString(manifest) + "\n");
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static void maskValues(KindDescriptor<?> kind, ObjectNode document) {
        for (String pointer : kind.sensitiveFields()) {
            if (document.at(pointer) instanceof ObjectNode values) {
                List.copyOf(values.propertyNames()).forEach(key -> values.put(key, MASK));
            }
        }
    }
}
