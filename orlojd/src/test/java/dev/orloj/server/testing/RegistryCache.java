package dev.orloj.server.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where acceptance suites keep what they fetch from package registries, for the next run. */
public final class RegistryCache {

    private RegistryCache() {}

    /** Returns the folder of a suite below {@code ~/.cache/orloj}, or below XDG_CACHE_HOME. */
    public static Path folder(String suite) throws IOException {
        Path cache =
                Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                        .map(Path::of)
                        .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"));
        return Files.createDirectories(cache.resolve("orloj").resolve(suite).toAbsolutePath());
    }
}
