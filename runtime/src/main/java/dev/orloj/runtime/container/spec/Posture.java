package dev.orloj.runtime.container.spec;

import java.util.List;

/**
 * How a container is closed in, as its engine tells after the start.
 *
 * @param image as it was asked for
 * @param imageId digest of its configuration
 * @param digest under which its registry knows the image, {@code repository@sha256:...}; empty when
 *     it never came from one
 * @param network none, isolated or bridge
 * @param relaxations what is less than Orloj's default, one sentence each
 */
public record Posture(
        String image,
        String imageId,
        String digest,
        String user,
        String network,
        ContainerLimits limits,
        List<String> relaxations) {

    public Posture {
        relaxations = List.copyOf(relaxations);
    }
}
