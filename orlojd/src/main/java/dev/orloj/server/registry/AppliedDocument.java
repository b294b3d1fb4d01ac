package dev.orloj.server.registry;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.server.admission.Admission;
import dev.orloj.server.admission.FieldValidation;
import dev.orloj.server.admission.Received;
import dev.orloj.server.apply.AppliedForm;
import dev.orloj.server.apply.FieldType;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads an applied configuration. It is a part of a resource in which every field counts, so no
 * field is dropped silently.
 */
record AppliedDocument(
        Admission admission, FieldType type, KindDescriptor<?> kind, ResourceKey key, Part part) {

    /**
     * Reduces the document to the part that is written.
     *
     * @throws ApiException (BadRequest)
     */
    Received of(Document document, FieldValidation validation) {
        ObjectNode root = document.root().deepCopy();
        requireText(root, "apiVersion", kind.kind().apiVersion());
        requireText(root, "kind", kind.kind().name());
        List<String> warnings = duplicates(document, validation);
        if (!root.path("metadata").path("managedFields").isMissingNode()
                && !root.path("metadata").path("managedFields").isNull()) {
            throw ApiException.badRequest("metadata.managedFields must be nil");
        }
        // Only for its form checks: it drops nulls, but a null that is applied is owned.
        admission.receive(
                kind, new Document(root.deepCopy(), List.of(), Map.of()), FieldValidation.IGNORE);
        ProposedUpdate.requireSameKey(root, key);
        Metadata.of(root).put("name", key.name());
        kind.normalizer().accept(root);
        requireDeclared(root);
        Admission.dropEmpty(kind, root);
        reduce(root);
        return new Received(root, warnings);
    }

    private void requireText(ObjectNode root, String field, String expected) {
        String given = root.path(field).asString("");
        if (given.equals(expected)) {
            return;
        }
        throw ApiException.badRequest(
                field.equals("apiVersion")
                        ? ("Incorrect version specified in apply patch. Specified patch version:"
                                        + " %s, expected: %s")
                                .formatted(given, expected)
                        : "Incorrect kind specified in apply patch. Specified kind: %s, expected: %s"
                                .formatted(given, expected));
    }

    private List<String> duplicates(Document document, FieldValidation validation) {
        List<String> problems =
                document.duplicates().stream().map(f -> "duplicate field \"" + f + "\"").toList();
        return switch (validation) {
            case STRICT -> {
                if (!problems.isEmpty()) {
                    throw ApiException.badRequest(
                            "error decoding patch: strict decoding error: "
                                    + String.join(", ", problems));
                }
                yield List.of();
            }
            case WARN -> problems;
            case IGNORE -> List.of();
        };
    }

    private void requireDeclared(ObjectNode root) {
        List<String> problems = AppliedForm.problems(type, root);
        if (problems.isEmpty()) {
            return;
        }
        String subject =
                key.namespace().isEmpty() ? key.name() : key.namespace() + "/" + key.name();
        List<String> lines = new ArrayList<>(problems);
        String what =
                lines.size() == 1 ? lines.getFirst() : "errors:\n  " + String.join("\n  ", lines);
        throw ApiException.badRequest(
                "failed to create typed patch object (%s; %s, Kind=%s): %s"
                        .formatted(subject, kind.kind().apiVersion(), kind.kind().name(), what));
    }

    private void reduce(ObjectNode root) {
        switch (part) {
            case RESOURCE -> {
                if (kind.hasStatus()) {
                    root.remove("status");
                }
            }
            case STATUS -> {
                root.retain("apiVersion", "kind", "metadata", "status");
                Metadata.of(root).retain("name", "namespace", "uid", "resourceVersion");
            }
            case FINALIZERS ->
                    throw ApiException.badRequest("finalizers of the content cannot be applied");
        }
    }
}
