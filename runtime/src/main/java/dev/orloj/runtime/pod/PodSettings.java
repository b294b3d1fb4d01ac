package dev.orloj.runtime.pod;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import javax.crypto.SecretKey;

/**
 * Settings of the servers that run in Pods.
 *
 * @param server URL of the API server
 * @param serviceAccount folder with {@code token} and {@code ca.crt}; the token is read again for
 *     each request, because the kubelet renews it
 * @param namespace namespace of the cluster in which the Pods run
 * @param owner ConfigMap of that namespace that owns the Pods, so that the cluster deletes them
 *     with it; empty for none
 * @param replica the orlojd that the Pods belong to, unchanged after a restart
 * @param adoption for Pods that keep running when orlojd stops, which need an owner; empty if all
 *     end
 */
public record PodSettings(
        URI server,
        Path serviceAccount,
        String namespace,
        String owner,
        String replica,
        Optional<Adoption> adoption) {

    /**
     * Settings of Pods that keep running when orlojd stops.
     *
     * @param key for HMAC-SHA-256, the same at all replicas; marks the Pods with their definition
     */
    public record Adoption(SecretKey key) {}

    public PodSettings {
        if (adoption.isPresent() && owner.isEmpty()) {
            throw new IllegalArgumentException("Pods that keep running need an owner");
        }
    }

    /** Where Kubernetes mounts the service account of a Pod. */
    public static final Path SERVICE_ACCOUNT =
            Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /**
     * Returns the URL of the API server that Kubernetes writes into the environment of each Pod;
     * empty outside of a cluster.
     */
    public static Optional<URI> serverOf(Map<String, String> environment) {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        if (host.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                URI.create(
                        "https://%s:%s"
                                .formatted(host.contains(":") ? "[" + host + "]" : host, port)));
    }
}
