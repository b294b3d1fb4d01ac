package dev.orloj.api.codec;

import dev.orloj.api.ApiException;
import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Resource;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/**
 * Validates a document without a server.
 *
 * @param unknownFields paths of the fields that its kind does not have
 * @param errors everything that its kind does not allow
 */
public record DocumentCheck(List<String> unknownFields, List<FieldError> errors) {

    public DocumentCheck {
        unknownFields = List.copyOf(unknownFields);
        errors = List.copyOf(errors);
    }

    /** Checks a document without changing it. */
    public static <R extends Resource> DocumentCheck of(
            KindDescriptor<R> descriptor, ObjectNode document) {
        ObjectNode copy = document.deepCopy();
        descriptor.normalizer().accept(copy);
        List<String> unknown = descriptor.schema().prune(copy);
        descriptor.schema().applyDefaults(copy);
        List<FieldError> errors = new ArrayList<>(checkName(descriptor, copy));
        errors.addAll(descriptor.schema().validate(copy));
        if (errors.isEmpty()) {
            errors.addAll(checkRules(descriptor, copy));
        }
        return new DocumentCheck(unknown, errors);
    }

    private static List<FieldError> checkName(KindDescriptor<?> descriptor, ObjectNode document) {
        FieldPath path = FieldPath.of("metadata", "name");
        String name = document.at("/metadata/name").asString("");
        if (!name.isEmpty()) {
            return descriptor.nameRule().check(path, name).stream().toList();
        }
        return document.at("/metadata/generateName").asString("").isEmpty()
                ? List.of(FieldError.required(path, "name or generateName is required"))
                : List.of();
    }

    private static <R extends Resource> List<FieldError> checkRules(
            KindDescriptor<R> descriptor, ObjectNode document) {
        try {
            R resource = ResourceCodec.fromDocument(descriptor.kind(), document);
            return descriptor.validator().validate(resource);
        } catch (ApiException e) {
            return List.of(FieldError.invalid(FieldPath.root(), "...", e.getMessage()));
        }
    }
}
