package dev.orloj.runtime.container.image;

import dev.orloj.api.Frozen;

import java.util.List;
import java.util.Map;

/**
 * An image that the engine has.
 *
 * @param name as it was asked for
 * @param id digest of its configuration, {@code sha256:...}: two images of one id are the same
 * @param repoDigests under which registries know it, {@code repository@sha256:...}
 * @param user that its program runs as; empty for root
 * @param volumes folders that it wants to write to
 * @param entrypoint that it starts unless told otherwise
 * @param command arguments of that, or a program of its own where there is no entrypoint
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
