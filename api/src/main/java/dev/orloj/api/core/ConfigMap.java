package dev.orloj.api.core;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Schema;

import tools.jackson.databind.node.ObjectNode;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Holds values that are not secret.
 *
 * @param data texts by key
 * @param binaryData other values by key, in base64
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "data", "binaryData"})
public record ConfigMap(
        String apiVersion,
        String kind,
        ObjectMeta metadata,
        Map<String, String> data,
        Map<String, String> binaryData,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean immutable)
        implements Resource {

    public static final Kind<ConfigMap> KIND =
            new Kind<>("", "v1", "ConfigMap", "configmaps", true, ConfigMap.class);

    public static final KindDescriptor<ConfigMap> DESCRIPTOR =
            KindDescriptor.of(KIND, Schema.fromResource(ConfigMap.class, "configmap.schema.json"))
                    .shortNames("cm")
                    .validator(ConfigMapRules::validate)
                    .updateValidator(ConfigMapRules::validateUpdate)
                    .overwritable()
                    .strategicMerge()
                    .columns(Column.integer("Data", "How many values", ConfigMap::size))
                    .build();

    public ConfigMap {
        data = sorted(data);
        binaryData = sorted(binaryData);
    }

    private static Map<String, String> sorted(Map<String, String> map) {
        return map == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(map));
    }

    private static Object size(ObjectNode document) {
        return document.path("data").size() + document.path("binaryData").size();
    }

    @Override
    public ConfigMap withMetadata(ObjectMeta replacement) {
        return new ConfigMap(apiVersion, kind, replacement, data, binaryData, immutable);
    }
}
