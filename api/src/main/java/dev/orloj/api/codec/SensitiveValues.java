package dev.orloj.api.codec;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;

/**
 * Masks the values that a kind declares sensitive, for screens and files of people. The annotation
 * in which {@code kubectl apply} keeps the last manifest repeats the values, so it is masked too.
 */
public final class SensitiveValues {

    /** What stands in place of a value. It is no base64, so it is never taken for a value. */
    public static final String MASK = "***";

    /** The annotation with the last manifest. */
    public static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private SensitiveValues() {}

    /** The document as people may see it: itself when nothing in it is sensitive, else a copy. */
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

    /** Empty when the positions of the values in the text are unknown. */
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
