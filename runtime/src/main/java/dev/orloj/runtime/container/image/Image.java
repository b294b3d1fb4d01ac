package dev.orloj.runtime.container.image;

import dev.orloj.api.Frozen;

import java.util.List;
import java.util.Map;

/**
 * An image that the engine has.
 *
 * @param name the requested name
 * @param id digest of the configuration, {@code sha256:...}: two images with one id are the same
 * @param repoDigests digests in registries, {@code repository@sha256:...}
 * @param user the user that the program runs as; empty for root
 * @param volumes folders that the program writes to
 * @param entrypoint the program that is started by default
 * @param command arguments of the entrypoint, or a program if there is no entrypoint
 */
public record Image(
        String name,
        String id,
        List<String> repoDigests,
        String user,
        List<String> volumes,
        Map<String, String> labels,
        List<String> entrypoint,
        List<String> command) {

    public Image {
        repoDigests = List.copyOf(repoDigests);
        volumes = List.copyOf(volumes);
        entrypoint = List.copyOf(entrypoint);
        command = List.copyOf(command);
        labels = Frozen.map(labels);
    }
}
