package dev.orloj.api.core;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * Validates a Secret beyond its schema, in either shape.
 *
 * @param parent the object that contains the fields of the shape
 */
record SecretRules(FieldPath parent) {

    /** Kubernetes puts a token that never expires into Secrets of this type. */
    private static final String ACCOUNT_TOKEN = "kubernetes.io/service-account-token";

    /** For {@link Secret}. */
    static final SecretRules OWN = new SecretRules(FieldPath.of("spec"));

    /** For {@link CoreSecret}. */
    static final SecretRules CORE = new SecretRules(FieldPath.root());

    /** Merges the plain values in the spec, if there is one. */
    static void normalize(ObjectNode document) {
        if (document.get("spec") instanceof ObjectNode spec) {
            mergePlainValues(spec);
        }
    }

    /**
     * Moves the plain values of {@code stringData} into {@code data}, where they take precedence.
     */
    static void mergePlainValues(ObjectNode fields) {
        if (!(fields.get("stringData") instanceof ObjectNode plain)
                || plain.valueStream().anyMatch(value -> !value.isString())) {
            return; // The shape is wrong: the schema reports it.
        }
        JsonNode present = fields.path("data");
        if (!present.isMissingNode() && !present.isNull() && !present.isObject()) {
            return;
        }
        fields.remove("stringData");
        ObjectNode data = present instanceof ObjectNode object ? object : fields.putObject("data");
        for (Map.Entry<String, JsonNode> value : plain.properties()) {
            byte[] bytes = value.getValue().asString().getBytes(StandardCharsets.UTF_8);
            data.put(value.getKey(), Base64.getEncoder().encodeToString(bytes));
        }
    }

    List<FieldError> validate(Secret secret) {
        return validate(secret.spec().type(), secret.spec().data());
    }

    List<FieldError> validate(CoreSecret secret) {
        return validate(secret.type(), secret.data());
    }

    private List<FieldError> validate(String type, Map<String, String> data) {
        FieldPath path = parent.child("data");
        List<FieldError> errors = new ArrayList<>(DataKeys.check(path, data.keySet()));
        if (type.equals(ACCOUNT_TOKEN)) {
            errors.add(
                    FieldError.invalid(
                            parent.child("type"),
                            type,
                            "no token is put into Secrets; issue one with: kubectl create token"
                                    + " SERVICEACCOUNT"));
        }
        long size = 0;
        for (Map.Entry<String, String> value : data.entrySet()) {
            try {
                size += Base64.getDecoder().decode(value.getValue()).length;
            } catch (IllegalArgumentException e) {
                errors.add(
                        FieldError.invalid(
                                path.key(value.getKey()),
                                "...",
                                "must be base64; give plain text in %s instead"
                                        .formatted(parent.child("stringData"))));
            }
        }
        if (size > DataKeys.MAX_BYTES) {
            errors.add(FieldError.tooLong(path, DataKeys.MAX_BYTES));
        }
        return errors;
    }

    List<FieldError> validateUpdate(Secret before, Secret after) {
        return validateUpdate(before.spec(), after.spec());
    }

    List<FieldError> validateUpdate(CoreSecret before, CoreSecret after) {
        return validateUpdate(spec(before), spec(after));
    }

    private static Secret.Spec spec(CoreSecret secret) {
        return new Secret.Spec(secret.type(), secret.data(), secret.immutable());
    }

    /** Rejects changes of the type, and of the values of an immutable Secret. */
    private List<FieldError> validateUpdate(Secret.Spec before, Secret.Spec after) {
        List<FieldError> errors = new ArrayList<>();
        if (!before.type().equals(after.type())) {
            errors.add(FieldError.forbidden(parent.child("type"), "field is immutable"));
        }
        if (before.immutable()) {
            String remedy = "delete the Secret and create it anew";
            if (!after.immutable()) {
                errors.add(DataKeys.frozen(parent.child("immutable"), remedy));
            }
            if (!before.data().equals(after.data())) {
                errors.add(DataKeys.frozen(parent.child("data"), remedy));
            }
        }
        return errors;
    }
}
