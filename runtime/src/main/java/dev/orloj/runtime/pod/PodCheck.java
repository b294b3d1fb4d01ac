package dev.orloj.runtime.pod;

import dev.orloj.runtime.workload.WorkloadException;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/**
 * Checks that the cluster stored the Pod as isolated as orlojd requested. Admission webhooks of the
 * cluster may change Pods.
 */
final class PodCheck {

    private PodCheck() {}

    /**
     * @param pod as the API server stored it
     * @throws WorkloadException when the Pod is less isolated than requested
     */
    static void requireIsolation(JsonNode pod, PodManifest manifest) {
        List<String> open = new ArrayList<>();
        JsonNode spec = pod.path("spec");
        for (String field : List.of("hostNetwork", "hostPID", "hostIPC")) {
            add(open, spec.path(field).asBoolean(false), field + " is true");
        }
        add(
                open,
                spec.path("automountServiceAccountToken").asBoolean(true),
                "it gets a token of a service account");
        for (JsonNode container : spec.path("containers")) {
            if (container.path("name").asString("").equals(PodManifest.CONTAINER)) {
                addContainer(open, spec.path("securityContext"), container, manifest);
            }
        }
        if (!open.isEmpty()) {
            throw new WorkloadException(
                    "The cluster changed Pod \"%s\", which is deleted: %s; exclude the Pods of servers from the webhook that does so"
                            .formatted(manifest.name(), String.join("; ", open)));
        }
    }

    private static void addContainer(
            List<String> open, JsonNode podSecurity, JsonNode container, PodManifest manifest) {
        JsonNode security = container.path("securityContext");
        add(open, security.path("privileged").asBoolean(false), "it is privileged");
        add(
                open,
                security.path("allowPrivilegeEscalation").asBoolean(true),
                "it may gain privileges");
        add(
                open,
                !security.path("readOnlyRootFilesystem").asBoolean(false),
                "its root can be written to");
        add(open, !security.at("/capabilities/add").isEmpty(), "it has capabilities");
        String user =
                security.path("runAsUser").asString(podSecurity.path("runAsUser").asString(""));
        add(
                open,
                !manifest.user().text().startsWith(user + ":"),
                "it runs as user \"%s\"".formatted(user));
    }

    private static void add(List<String> list, boolean condition, String text) {
        if (condition) {
            list.add(text);
        }
    }
}
