package dev.orloj.api.v1;

import dev.orloj.api.validation.FieldError;
import dev.orloj.api.validation.FieldPath;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What holds for a Secret beyond its schema. */
final class SecretRules {

    private static final FieldPath DATA = FieldPath.of("spec", "data");
    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");
    private static final int MAX_BYTES = 1024 * 1024;

    private SecretRules() {}

    /** Moves the plain values of {@code stringData} into {@code data}, where they win. */
    static void normalize(ObjectNode document) {
        if (!(document.get("spec") instanceof ObjectNode spec)
                || !(spec.get("stringData") instanceof ObjectNode plain)
                || plain.valueStream().anyMatch(value -> !value.isString())) {
            return; // not of the right shape: the schema says so
        }
        if (spec.has("data") && !spec.path("data").isObject()) {
            return;
        }
        spec.remove("stringData");
        ObjectNode data = spec.withObject("/data");
        for (Map.Entry<String, JsonNode> value : plain.properties()) {
            byte[] bytes = value.getValue().asString().getBytes(StandardCharsets.UTF_8);
            data.put(value.getKey(), Base64.getEncoder().encodeToString(bytes));
        }
    }

    static List<FieldError> validate(Secret secret) {
        List<FieldError> errors = new ArrayList<>();
        long size = 0;
        for (Map.Entry<String, String> value : secret.spec().data().entrySet()) {
            FieldPath path = DATA.key(value.getKey());
            if (!KEY.matcher(value.getKey()).matches()) {
                errors.add(
                        FieldError.invalid(
                                path,
                                value.getKey(),
                                "a key must consist of alphanumeric characters, '-', '_' or '.'"));
            }
            try {
                size += Base64.getDecoder().decode(value.getValue()).length;
            } catch (IllegalArgumentException e) {
                errors.add(
                        FieldError.invalid(
                                path,
                                "...",
                                "must be base64; give plain text in spec.stringData instead"));
            }
        }
        if (size > MAX_BYTES) {
            errors.add(FieldError.tooLong(DATA, MAX_BYTES));
        }
        return errors;
    }

    /** An immutable Secret keeps its type and values for as long as it lives. */
    static List<FieldError> validateUpdate(Secret before, Secret after) {
        List<FieldError> errors = new ArrayList<>();
        if (!before.spec().type().equals(after.spec().type())) {
            errors.add(FieldError.forbidden(FieldPath.of("spec", "type"), "field is immutable"));
        }
        if (before.spec().immutable()) {
            String remedy = "delete the Secret and create it anew";
            if (!after.spec().immutable()) {
                errors.add(
                        FieldError.forbidden(
                                FieldPath.of("spec", "immutable"),
                                "field is immutable when `immutable` is set; " + remedy));
            }
            if (!before.spec().data().equals(after.spec().data())) {
                errors.add(
                        FieldError.forbidden(
                                DATA, "field is immutable when `immutable` is set; " + remedy));
            }
        }
        return errors;
    }
}
