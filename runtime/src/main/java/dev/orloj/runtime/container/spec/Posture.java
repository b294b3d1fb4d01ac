package dev.orloj.runtime.container.spec;

import java.util.List;

/**
 * The isolation of a container, as its engine reports it after the start.
 *
 * @param image the requested name of the image
 * @param imageId digest of its configuration
 * @param digest digest in its registry, {@code repository@sha256:...}; empty if the image never
 *     came from a registry
 * @param network none, isolated or bridge
 * @param relaxations deviations that are weaker than Orloj's defaults, one sentence each
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
