package dev.orloj.api.core;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Validates a ConfigMap beyond its schema. */
final class ConfigMapRules {

    private static final FieldPath DATA = FieldPath.of("data");
    private static final FieldPath BINARY_DATA = FieldPath.of("binaryData");

    private ConfigMapRules() {}

    static List<FieldError> validate(ConfigMap map) {
        List<FieldError> errors = new ArrayList<>();
        errors.addAll(DataKeys.check(DATA, map.data().keySet()));
        errors.addAll(DataKeys.check(BINARY_DATA, map.binaryData().keySet()));
        long size = 0;
        for (Map.Entry<String, String> value : map.data().entrySet()) {
            size += value.getValue().getBytes(StandardCharsets.UTF_8).length;
            if (map.binaryData().containsKey(value.getKey())) {
                errors.add(
                        FieldError.invalid(
                                DATA.key(value.getKey()),
                                value.getKey(),
                                "duplicate of key present in binaryData"));
            }
        }
        for (Map.Entry<String, String> value : map.binaryData().entrySet()) {
            try {
                size += Base64.getDecoder().decode(value.getValue()).length;
            } catch (IllegalArgumentException e) {
                errors.add(
                        FieldError.invalid(
                                BINARY_DATA.key(value.getKey()),
                                "...",
                                "must be base64; give plain text in data instead"));
            }
        }
        if (size > DataKeys.MAX_BYTES) {
            errors.add(FieldError.tooLong(FieldPath.root(), DataKeys.MAX_BYTES));
        }
        return errors;
    }

    /** Rejects changes of the values of an immutable ConfigMap. */
    static List<FieldError> validateUpdate(ConfigMap before, ConfigMap after) {
        List<FieldError> errors = new ArrayList<>();
        if (before.immutable()) {
            String remedy = "delete the ConfigMap and create it anew";
            if (!after.immutable()) {
                errors.add(DataKeys.frozen(FieldPath.of("immutable"), remedy));
            }
            if (!before.data().equals(after.data())) {
                errors.add(DataKeys.frozen(DATA, remedy));
            }
            if (!before.binaryData().equals(after.binaryData())) {
                errors.add(DataKeys.frozen(BINARY_DATA, remedy));
            }
        }
        return errors;
    }
}
