package dev.orloj.runtime.container;

import java.util.Optional;

/**
 * An image, and how it comes to this host.
 *
 * @param name as {@code docker pull} takes it, with a tag or a digest
 */
public record ImageSource(
        String name, PullPolicy pullPolicy, Optional<RegistryCredential> credential) {

    public ImageSource {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A container needs an image");
        }
    }
}
