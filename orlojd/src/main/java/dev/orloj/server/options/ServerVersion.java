package dev.orloj.server.options;

import java.util.Optional;

/**
 * The version of the running orlojd.
 *
 * @param number the release, or {@code dev} when run from classes
 */
public record ServerVersion(String number) {

    /** The version that the jar names. */
    public static final ServerVersion CURRENT =
            new ServerVersion(
                    Optional.ofNullable(ServerVersion.class.getPackage().getImplementationVersion())
                            .orElse("dev"));
}
