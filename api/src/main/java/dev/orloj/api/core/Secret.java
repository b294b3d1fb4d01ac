package dev.orloj.api.core;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Schema;
import dev.orloj.api.codec.SensitiveValues;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Holds values that are encrypted at rest. The rows of Secrets have this shape; {@link CoreSecret}
 * is the other one.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec"})
public record Secret(String apiVersion, String kind, ObjectMeta metadata, Spec spec)
        implements Resource {

    public static final Kind<Secret> KIND =
            new Kind<>("orloj.dev", "v1", "Secret", "secrets", true, Secret.class);

    /** The mask for a value in a masked document. A client that sends it back keeps the value. */
    public static final String REDACTED = SensitiveValues.MASK;

    /**
     * The annotation of a Secret that was read without some of its values, because the key that
     * they are encrypted with is lost: the id of that key. The server adds it, and does not store
     * it.
     */
    public static final String MISSING_KEY = "orloj.dev/missing-encryption-key";

    public static final KindDescriptor<Secret> DESCRIPTOR =
            KindDescriptor.of(KIND, Schema.fromResource(Secret.class, "secret.schema.json"))
                    .shortNames("osec")
                    .categories("orloj")
                    .normalizer(SecretRules::normalize)
                    .validator(SecretRules.OWN::validate)
                    .updateValidator(SecretRules.OWN::validateUpdate)
                    .sensitive("/spec/data")
                    .selectable("spec.type", "/spec/type")
                    .columns(
                            Column.text("Type", "What kind of secret", Column.at("/spec/type")),
                            Column.integer("Data", "How many values", Column.sizeOf("/spec/data")))
                    .build();

    /**
     * The values.
     *
     * @param data in base64, by key
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Spec(
            String type,
            Map<String, String> data,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean immutable) {

        public Spec {
            type = type == null ? "" : type;
            data =
                    data == null
                            ? Map.of()
                            : java.util.Collections.unmodifiableMap(new TreeMap<>(data));
        }

        @Override
        public String toString() {
            return "Spec[type=" + type + ", keys=" + data.keySet() + "]";
        }
    }

    /** Returns the value for a reference, still in base64. Empty if there is no such key. */
    public Optional<String> find(SecretRef ref) {
        Map<String, String> data = spec.data();
        if (!ref.key().isEmpty()) {
            return Optional.ofNullable(data.get(ref.key()));
        }
        if (data.size() == 1) {
            return data.values().stream().findFirst();
        }
        return Optional.ofNullable(data.get(SecretRef.DEFAULT_KEY));
    }

    /** Returns the id of the key without which values were left out; empty when all are there. */
    public Optional<String> missingKey() {
        return Optional.ofNullable(metadata.annotations().get(MISSING_KEY));
    }

    @Override
    public Secret withMetadata(ObjectMeta replacement) {
        return new Secret(apiVersion, kind, replacement, spec);
    }
}
