package dev.orloj.api.core;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Schema;
import dev.orloj.api.codec.View;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A {@link Secret} in the shape of the core group, which Kubernetes clients use. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "type", "data"})
public record CoreSecret(
        String apiVersion,
        String kind,
        ObjectMeta metadata,
        String type,
        Map<String, String> data,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean immutable)
        implements Resource {

    public static final Kind<CoreSecret> KIND =
            new Kind<>("", "v1", "Secret", "secrets", true, CoreSecret.class);

    private static final List<String> ENVELOPE = List.of("apiVersion", "kind", "metadata");

    public static final KindDescriptor<CoreSecret> DESCRIPTOR =
            KindDescriptor.of(KIND, Schema.fromResource(CoreSecret.class, "coresecret.schema.json"))
                    .view(
                            new View(
                                    Secret.DESCRIPTOR,
                                    CoreSecret::fromStored,
                                    CoreSecret::toStored,
                                    CoreSecret::place))
                    .normalizer(document -> SecretRules.mergePlainValues(document))
                    .validator(SecretRules.CORE::validate)
                    .updateValidator(SecretRules.CORE::validateUpdate)
                    .sensitive("/data")
                    .selectable("type", "/spec/type")
                    .overwritable()
                    .strategicMerge()
                    .columns(
                            Column.text("Type", "What kind of secret", Column.at("/type")),
                            Column.integer("Data", "How many values", Column.sizeOf("/data")))
                    .build();

    public CoreSecret {
        type = type == null ? "" : type;
        data = data == null ? Map.of() : java.util.Collections.unmodifiableMap(new TreeMap<>(data));
    }

    private static ObjectNode fromStored(ObjectNode row) {
        ObjectNode document = envelope(row, KIND);
        if (row.path("spec") instanceof ObjectNode spec) {
            document.setAll(spec);
        }
        return document;
    }

    private static ObjectNode toStored(ObjectNode document) {
        ObjectNode row = envelope(document, Secret.KIND);
        ObjectNode spec = row.putObject("spec");
        spec.setAll(document);
        spec.remove(ENVELOPE);
        return row;
    }

    private static List<String> place(String field) {
        return ENVELOPE.contains(field) ? List.of(field) : List.of("spec", field);
    }

    private static ObjectNode envelope(ObjectNode document, Kind<?> kind) {
        ObjectNode envelope = document.objectNode();
        envelope.put("apiVersion", kind.apiVersion()).put("kind", kind.name());
        if (document.has("metadata")) {
            envelope.set("metadata", document.path("metadata"));
        }
        return envelope;
    }

    @Override
    public CoreSecret withMetadata(ObjectMeta replacement) {
        return new CoreSecret(apiVersion, kind, replacement, type, data, immutable);
    }

    @Override
    public String toString() {
        return "CoreSecret[%s, type=%s, keys=%s]".formatted(key(), type, data.keySet());
    }
}
