package dev.orloj.server.options;

import java.util.Optional;

/**
 * Which orlojd this is.
 *
 * @param number the release, or {@code dev} when run from classes
 */
public record ServerVersion(String number) {

    /** The running one, as its jar says. */
    public static final ServerVersion CURRENT =
            new ServerVersion(
                    Optional.ofNullable(ServerVersion.class.getPackage().getImplementationVersion())
                            .orElse("dev"));
}
