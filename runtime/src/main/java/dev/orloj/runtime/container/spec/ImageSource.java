package dev.orloj.runtime.container.spec;

import java.util.Optional;

/**
 * An image and how it is pulled.
 *
 * @param name in the format of {@code docker pull}, with a tag or a digest
 */
public record ImageSource(
        String name, PullPolicy pullPolicy, Optional<RegistryCredential> credential) {

    /** The registry of images whose names contain no registry. */
    public static final String DOCKER_HUB = "docker.io";

    public ImageSource {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A container needs an image");
        }
    }

    /**
     * Returns the host, with its port if it has one: the first part of a name that looks like a
     * host.
     */
    public String registry() {
        int slash = name.indexOf('/');
        String first = slash < 0 ? "" : name.substring(0, slash);
        boolean isHost = first.contains(".") || first.contains(":") || first.equals("localhost");
        return isHost ? hostOf(first) : DOCKER_HUB;
    }

    /**
     * Normalizes a registry to its host: {@code https://index.docker.io/v1/} and {@code docker.io}
     * are equal.
     */
    public static String hostOf(String registry) {
        String host = registry.replaceFirst("^https?://", "").replaceFirst("/.*$", "");
        return host.equals("index.docker.io") || host.equals("registry-1.docker.io")
                ? DOCKER_HUB
                : host;
    }
}
