package dev.orloj.api.pod;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.orloj.api.Frozen;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;
import java.util.Map;

/**
 * What a manifest adds to the Pod of a server: where it runs, and how the cluster treats it. The
 * Pod has in addition everything that isolates it, which no manifest changes. The elements of
 * {@code tolerations}, {@code affinity} and {@code topologySpreadConstraints} are those of
 * Kubernetes.
 *
 * @param affinity null for none; never changed, like the elements of the constraints
 * @param priorityClassName empty for the default of the cluster
 * @param runtimeClassName empty for the default of orlojd
 * @param imagePullSecrets names of Secrets in the namespace of the Pods
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonNaming(SnakeCaseStrategy.class)
public record PodTemplate(
        Map<String, String> nodeSelector,
        List<Toleration> tolerations,
        @Nullable JsonNode affinity,
        List<JsonNode> topologySpreadConstraints,
        String priorityClassName,
        String runtimeClassName,
        List<String> imagePullSecrets,
        Map<String, String> labels,
        Map<String, String> annotations) {

    /** Adds nothing. */
    public static final PodTemplate NONE =
            new PodTemplate(
                    Map.of(), List.of(), null, List.of(), "", "", List.of(), Map.of(), Map.of());

    public PodTemplate {
        nodeSelector = orEmpty(nodeSelector);
        tolerations = orEmpty(tolerations);
        topologySpreadConstraints = orEmpty(topologySpreadConstraints);
        priorityClassName = orEmpty(priorityClassName);
        runtimeClassName = orEmpty(runtimeClassName);
        imagePullSecrets = orEmpty(imagePullSecrets);
        labels = orEmpty(labels);
        annotations = orEmpty(annotations);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
        return map == null ? Map.of() : Frozen.map(map);
    }
}
