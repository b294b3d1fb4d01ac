package dev.orloj.server.config;

import org.springframework.core.env.Environment;

import java.nio.file.Path;

/** Where orlojd keeps its files: the embedded database and the key of its Secrets. */
public record DataDirectory(Path path) {

    /**
     * {@code orloj.data-dir}, else {@code $XDG_DATA_HOME/orloj}, else {@code ~/.local/share/orloj}.
     */
    static DataDirectory of(Environment environment) {
        String configured = environment.getProperty("orloj.data-dir", "");
        if (!configured.isBlank()) {
            return new DataDirectory(Path.of(configured).toAbsolutePath().normalize());
        }
        String xdg = environment.getProperty("XDG_DATA_HOME", "");
        Path share =
                xdg.isBlank()
                        ? Path.of(environment.getProperty("user.home", "."), ".local", "share")
                        : Path.of(xdg);
        return new DataDirectory(share.resolve("orloj").toAbsolutePath().normalize());
    }
}
