package dev.orloj.controllers.review;

import dev.orloj.api.Frozen;
import dev.orloj.api.Resource;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Secret;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Resources that come with a manifest and are not stored. They win over stored ones. {@code
 * toString} shows no values.
 *
 * @param secrets by name
 * @param configMaps by name
 * @param sandboxes the names of Sandboxes
 */
public record Companions(
        Map<String, Secret> secrets, Map<String, ConfigMap> configMaps, Set<String> sandboxes) {

    public static final Companions NONE = of(List.of(), List.of(), Set.of());

    public Companions {
        secrets = Frozen.map(secrets);
        configMaps = Frozen.map(configMaps);
        sandboxes = Frozen.set(sandboxes);
    }

    /** Returns the companions; of several with one name, the last. */
    public static Companions of(
            List<Secret> secrets, List<ConfigMap> configMaps, Set<String> sandboxes) {
        return new Companions(byName(secrets), byName(configMaps), sandboxes);
    }

    private static <R extends Resource> Map<String, R> byName(List<R> resources) {
        return resources.stream()
                .collect(
                        Collectors.toMap(
                                resource -> resource.metadata().name(),
                                Function.identity(),
                                (_, last) -> last));
    }

    @Override
    public String toString() {
        return "Companions[secrets=%s, configMaps=%s, sandboxes=%s]"
                .formatted(secrets.keySet(), configMaps.keySet(), sandboxes);
    }
}
