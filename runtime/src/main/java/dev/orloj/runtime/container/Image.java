package dev.orloj.runtime.container;

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
 */
record Image(
        String name,
        String id,
        List<String> repoDigests,
        String user,
        List<String> volumes,
        Map<String, String> labels) {

    Image {
        repoDigests = List.copyOf(repoDigests);
        volumes = List.copyOf(volumes);
        labels = Map.copyOf(labels);
    }
}
