package dev.orloj.server.properties;

import dev.orloj.controllers.sandbox.ServerEngine;
import dev.orloj.runtime.pod.PodSettings;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import javax.crypto.SecretKey;

/**
 * Settings of servers that run in Pods of the cluster of orlojd.
 *
 * @param namespace of the Pods; empty for that of orlojd
 * @param owner ConfigMap that owns the Pods; empty for none
 * @param serviceAccount folder with the token of orlojd, and the authority of the cluster
 * @param metadataKeys keys of labels and annotations that manifests may give to Pods
 * @param adoption whether Pods of shared sessions keep running when orlojd stops; requires an owner
 */
@ConfigurationProperties("orloj.pods")
public record PodProperties(
        @DefaultValue("") String namespace,
        @DefaultValue("") String owner,
        @DefaultValue("/var/run/secrets/kubernetes.io/serviceaccount") Path serviceAccount,
        @DefaultValue List<String> metadataKeys,
        @DefaultValue("false") boolean adoption) {

    public PodProperties {
        metadataKeys = List.copyOf(metadataKeys);
    }

    /** What runs servers with an image. */
    public enum Engine {
        /** Pods where orlojd has a service account of a cluster, else containers. */
        AUTO,
        CONTAINER,
        POD
    }

    ServerEngine resolve(Engine engine) {
        return switch (engine) {
            case CONTAINER -> ServerEngine.CONTAINER;
            case POD -> ServerEngine.POD;
            case AUTO -> isInCluster() ? ServerEngine.POD : ServerEngine.CONTAINER;
        };
    }

    private boolean isInCluster() {
        return server(System.getenv()).isPresent()
                && Files.isReadable(serviceAccount.resolve("token"));
    }

    private static Optional<URI> server(Map<String, String> environment) {
        return PodSettings.serverOf(environment);
    }

    /**
     * Returns the settings of the Pods of a replica.
     *
     * @param adoptionKey returns the key that marks Pods which may be adopted
     * @throws InvalidConfigurationException when orlojd does not run in a cluster, or Pods would
     *     have no owner that needs one
     */
    public PodSettings toSettings(String replica, Supplier<SecretKey> adoptionKey) {
        if (adoption && owner.isBlank()) {
            throw new InvalidConfigurationException(
                    "--pod-adoption needs --pod-owner: Pods keep running when orlojd stops, so the"
                            + " cluster has to delete them with the installation; name a ConfigMap"
                            + " that owns them");
        }
        URI server =
                server(System.getenv())
                        .orElseThrow(
                                () ->
                                        new InvalidConfigurationException(
                                                "--container-engine pod: KUBERNETES_SERVICE_HOST is"
                                                    + " not set, so orlojd does not run in a Pod of"
                                                    + " a cluster; use --container-engine"
                                                    + " container"));
        return new PodSettings(
                server,
                serviceAccount,
                podNamespace(),
                owner,
                replica,
                adoption
                        ? Optional.of(new PodSettings.Adoption(adoptionKey.get()))
                        : Optional.empty());
    }

    private String podNamespace() {
        Path file = serviceAccount.resolve("namespace");
        try {
            return namespace.isEmpty() ? Files.readString(file).strip() : namespace;
        } catch (IOException e) {
            throw new InvalidConfigurationException(
                    "--container-engine pod: %s cannot be read (%s); give --pod-namespace"
                            .formatted(file, e.getClass().getSimpleName()),
                    e);
        }
    }
}
