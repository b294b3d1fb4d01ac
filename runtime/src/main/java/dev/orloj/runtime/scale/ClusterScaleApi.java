package dev.orloj.runtime.scale;

import dev.orloj.api.MicroTime;
import dev.orloj.api.pod.ScaleTargetRef;
import dev.orloj.runtime.cluster.ClusterClient;
import dev.orloj.runtime.cluster.ClusterException;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Sends the requests to the API server. Thread-safe. */
final class ClusterScaleApi implements ScaleApi {

    private static final String APPS = "apps";
    private static final String COORDINATION = "coordination.k8s.io";

    private final ClusterClient client;
    private final String namespace;
    private final String owner;
    private final String replica;
    private final Duration leaseDuration;
    private final InstantSource clock;

    /**
     * @param owner ConfigMap of the namespace that owns the Leases; empty for none
     * @param replica the orlojd that renews them
     * @param leaseDuration written to the Leases, for people who read them
     */
    ClusterScaleApi(
            ClusterClient client,
            String namespace,
            String owner,
            String replica,
            Duration leaseDuration,
            InstantSource clock) {
        this.client = client;
        this.namespace = namespace;
        this.owner = owner;
        this.replica = replica;
        this.leaseDuration = leaseDuration;
        this.clock = clock;
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public Optional<Workload> find(ScaleTargetRef target) {
        String plural = target.kind().plural();
        return allowed(APPS, plural, "get", () -> client.find(path(target)))
                .map(ClusterScaleApi::workload);
    }

    private static Workload workload(JsonNode object) {
        return new Workload(
                // The API server sets it, and 1 is the default.
                object.at("/spec/replicas").asInt(1),
                object.at("/status/readyReplicas").asInt(0),
                object.path("metadata").path("labels").path(LABEL).asString("").equals("true"),
                object.at("/metadata/resourceVersion").asString(""));
    }

    @Override
    public void scale(ScaleTargetRef target, int replicas, String version) {
        allowed(
                APPS,
                target.kind().plural() + "/scale",
                "patch",
                () -> {
                    client.patch(
                            path(target) + "/scale",
                            Map.of(
                                    "metadata",
                                    Map.of("resourceVersion", version),
                                    "spec",
                                    Map.of("replicas", replicas)));
                    return true;
                });
    }

    @Override
    public String leaseVersion(ScaleTargetRef target) {
        return allowed(COORDINATION, "leases", "get", () -> client.find(leases(name(target))))
                .map(lease -> lease.at("/metadata/resourceVersion").asString(""))
                .orElse("");
    }

    @Override
    public void renewLease(ScaleTargetRef target) {
        try {
            allowed(
                    COORDINATION,
                    "leases",
                    "patch",
                    () -> {
                        client.patch(leases(name(target)), Map.of("spec", renewal()));
                        return true;
                    });
        } catch (ClusterException e) {
            if (!e.isNotFound()) {
                throw e;
            }
            createLease(target);
        }
    }

    private void createLease(ScaleTargetRef target) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", name(target));
        metadata.put("labels", Map.of("orloj.dev/managed", "true"));
        owner().ifPresent(reference -> metadata.put("ownerReferences", List.of(reference)));
        Map<String, ?> lease =
                Map.of(
                        "apiVersion",
                        COORDINATION + "/v1",
                        "kind",
                        "Lease",
                        "metadata",
                        metadata,
                        "spec",
                        renewal());
        try {
            allowed(COORDINATION, "leases", "create", () -> client.create(leases(""), lease));
        } catch (ClusterException e) {
            // Another replica has created it just now, which means the same.
            if (!e.isConflict()) {
                throw e;
            }
        }
    }

    private Map<String, ?> renewal() {
        return Map.of(
                "holderIdentity",
                replica,
                "leaseDurationSeconds",
                leaseDuration.toSeconds(),
                "renewTime",
                new MicroTime(clock.instant()).toString());
    }

    /** Returns the reference to the object with which the cluster deletes the Lease. */
    private Optional<Map<String, String>> owner() {
        if (owner.isEmpty()) {
            return Optional.empty();
        }
        return client.find("/api/v1/namespaces/%s/configmaps/%s".formatted(namespace, owner))
                .map(
                        found ->
                                Map.of(
                                        "apiVersion",
                                        "v1",
                                        "kind",
                                        "ConfigMap",
                                        "name",
                                        owner,
                                        "uid",
                                        found.at("/metadata/uid").asString("")));
    }

    @Override
    public void deleteLease(ScaleTargetRef target) {
        try {
            allowed(
                    COORDINATION,
                    "leases",
                    "delete",
                    () -> {
                        client.delete(
                                leases(name(target)),
                                Map.of("apiVersion", "v1", "kind", "DeleteOptions"));
                        return true;
                    });
        } catch (ClusterException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    private String path(ScaleTargetRef target) {
        return "/apis/%s/v1/namespaces/%s/%s/%s"
                .formatted(APPS, namespace, target.kind().plural(), target.name());
    }

    private String leases(String name) {
        String all = "/apis/%s/v1/namespaces/%s/leases".formatted(COORDINATION, namespace);
        return name.isEmpty() ? all : all + "/" + name;
    }

    /** The same for all installations, so that each sees the sessions of the others. */
    private static String name(ScaleTargetRef target) {
        return "orloj-scale-%s-%s"
                .formatted(target.kind().text().toLowerCase(Locale.ROOT), target.name());
    }

    private <T> T allowed(String group, String resource, String verb, Supplier<T> request) {
        try {
            return request.get();
        } catch (ClusterException e) {
            throw e.isForbidden()
                    ? e.with(
                            "; the service account of orlojd needs a Role in namespace \"%s\" with apiGroups [\"%s\"], resources [%s], verbs [%s] (chart: pods.scale)"
                                    .formatted(namespace, group, resource, verb))
                    : e;
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
