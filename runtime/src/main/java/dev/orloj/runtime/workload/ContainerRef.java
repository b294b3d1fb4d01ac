package dev.orloj.runtime.workload;

import java.time.Instant;
import java.util.Optional;

/**
 * A reference to the container that a program runs in.
 *
 * @param id the engine's id, 64 hexadecimal digits
 * @param name the readable name
 * @param image id of the image of the container, {@code sha256:...}
 * @param adoptedFrom when it was created, if that was for an earlier session; empty otherwise
 */
public record ContainerRef(String id, String name, String image, Optional<Instant> adoptedFrom) {

    /** Creates a reference to the container of a program that its session has started. */
    public ContainerRef(String id, String name, String image) {
        this(id, name, image, Optional.empty());
    }
}
