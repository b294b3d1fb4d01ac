package dev.orloj.runtime.container.spec;

import java.util.Optional;

/**
 * An image, and how it comes to this host.
 *
 * @param name as {@code docker pull} takes it, with a tag or a digest
 */
public record ImageSource(
        String name, PullPolicy pullPolicy, Optional<RegistryCredential> credential) {

    /** The registry of images that name none. */
    public static final String DOCKER_HUB = "docker.io";

    public ImageSource {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A container needs an image");
        }
    }

    /** Host, with a port if it has one: the first part of a name when it looks like a host. */
    public String registry() {
        int slash = name.indexOf('/');
        String first = slash < 0 ? "" : name.substring(0, slash);
        boolean isHost = first.contains(".") || first.contains(":") || first.equals("localhost");
        return isHost ? hostOf(first) : DOCKER_HUB;
    }

    /** {@code https://index.docker.io/v1/} and {@code docker.io} mean the same. */
    public static String hostOf(String registry) {
        String host = registry.replaceFirst("^https?://", "").replaceFirst("/.*$", "");
        return host.equals("index.docker.io") || host.equals("registry-1.docker.io")
                ? DOCKER_HUB
                : host;
    }
}
