package dev.orloj.runtime.pod;

import dev.orloj.runtime.workload.WorkloadException;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/**
 * Finds the ConfigMap that owns the Pods of an installation, so that the cluster deletes them with
 * the installation. Not a Pod, a StatefulSet or a Deployment: those come and go with an upgrade.
 * Thread-safe.
 */
final class PodOwner {

    private final ClusterApi api;
    private final PodSettings settings;

    PodOwner(ClusterApi api, PodSettings settings) {
        this.api = api;
        this.settings = settings;
    }

    /**
     * Returns the owner reference of each Pod; empty if the settings name no owner. Reads the owner
     * each time: one that was created again has another uid, and the cluster deletes a Pod at once
     * whose owner does not exist.
     *
     * @throws WorkloadException when the owner does not exist or cannot be read
     */
    Map<String, String> reference() {
        if (settings.owner().isEmpty()) {
            return Map.of();
        }
        JsonNode owner =
                api.find("configmaps", settings.owner())
                        .orElseThrow(
                                () ->
                                        new WorkloadException(
                                                "ConfigMap \"%s\" of namespace \"%s\" does not exist; it owns the Pods of servers (--pod-owner)"
                                                        .formatted(
                                                                settings.owner(),
                                                                settings.namespace())));
        return Map.of(
                "apiVersion",
                "v1",
                "kind",
                "ConfigMap",
                "name",
                settings.owner(),
                "uid",
                owner.at("/metadata/uid").asString(""));
    }
}
