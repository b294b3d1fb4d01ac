package dev.orloj.server.admission;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.codec.KindDescriptor;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Validates the metadata of every kind. Skips values of the wrong type, which the schema reports.
 */
final class MetadataRules {

    private static final FieldPath METADATA = FieldPath.of("metadata");
    private static final int MAX_ANNOTATION_BYTES = 256 * 1024;
    private static final Set<String> STANDARD_FINALIZERS =
            Set.of("kubernetes", "orphan", "foregroundDeletion");

    private MetadataRules() {}

    static List<FieldError> check(KindDescriptor<?> kind, ObjectNode document) {
        JsonNode metadata = document.path("metadata");
        List<FieldError> errors = new ArrayList<>();
        checkName(kind, metadata, errors);
        checkLabels(metadata.path("labels"), errors);
        checkAnnotations(metadata.path("annotations"), errors);
        checkOwners(metadata.path("ownerReferences"), errors);
        checkFinalizers(metadata.path("finalizers"), errors);
        return errors;
    }

    private static void checkName(
            KindDescriptor<?> kind, JsonNode metadata, List<FieldError> errors) {
        String name = metadata.path("name").asString("");
        FieldPath path = METADATA.child("name");
        if (name.isEmpty()) {
            errors.add(FieldError.required(path, "name or generateName is required"));
        } else {
            kind.nameRule().check(path, name).ifPresent(errors::add);
        }
    }

    private static void checkLabels(JsonNode labels, List<FieldError> errors) {
        FieldPath path = METADATA.child("labels");
        for (Map.Entry<String, JsonNode> label : labels.properties()) {
            QualifiedName.check(path, label.getKey()).ifPresent(errors::add);
            if (label.getValue().isString()) {
                QualifiedName.checkLabelValue(path, label.getValue().asString())
                        .ifPresent(errors::add);
            }
        }
    }

    private static void checkAnnotations(JsonNode annotations, List<FieldError> errors) {
        FieldPath path = METADATA.child("annotations");
        long size = 0;
        for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
            QualifiedName.check(path, annotation.getKey().toLowerCase(Locale.ROOT))
                    .ifPresent(errors::add);
            size += bytes(annotation.getKey()) + bytes(annotation.getValue().asString(""));
        }
        if (size > MAX_ANNOTATION_BYTES) {
            errors.add(FieldError.tooLong(path, MAX_ANNOTATION_BYTES));
        }
    }

    private static void checkOwners(JsonNode owners, List<FieldError> errors) {
        FieldPath path = METADATA.child("ownerReferences");
        int controllers = 0;
        for (int i = 0; i < owners.size(); i++) {
            JsonNode owner = owners.path(i);
            for (String field : List.of("apiVersion", "kind", "name", "uid")) {
                if (owner.path(field).isString() && owner.path(field).asString().isEmpty()) {
                    errors.add(FieldError.required(path.index(i).child(field), ""));
                }
            }
            if (owner.path("controller").asBoolean(false) && ++controllers == 2) {
                errors.add(
                        FieldError.invalid(
                                path,
                                owner.path("name").asString(""),
                                "only one reference can have controller set to true"));
            }
        }
    }

    private static void checkFinalizers(JsonNode finalizers, List<FieldError> errors) {
        FieldPath path = METADATA.child("finalizers");
        for (JsonNode finalizer : finalizers) {
            String name = finalizer.asString("");
            if (!finalizer.isString() || STANDARD_FINALIZERS.contains(name)) {
                continue;
            }
            if (name.indexOf('/') < 0) {
                errors.add(
                        FieldError.invalid(
                                path,
                                name,
                                "must be fully qualified, such as example.com/" + "my-finalizer"));
            } else {
                QualifiedName.check(path, name).ifPresent(errors::add);
            }
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
