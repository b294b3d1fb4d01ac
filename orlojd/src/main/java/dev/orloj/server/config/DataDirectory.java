package dev.orloj.server.config;

import org.springframework.core.env.Environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Where orlojd keeps its files: the embedded database and the key of its Secrets. */
public record DataDirectory(Path path) {

    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rwx------");

    /** The PostgreSQL of a root orlojd runs as another user, who has to get to its own folder. */
    private static final Set<PosixFilePermission> PASSABLE =
            PosixFilePermissions.fromString("rwx--x--x");

    /**
     * Makes it when it is missing, and keeps other users out of what is orlojd's own: of a new one,
     * and of one that an earlier orlojd has left open. Nothing is opened that was closed.
     */
    Path prepare() throws IOException {
        boolean isNew = !Files.exists(path);
        Files.createDirectories(path);
        if (isNew || Files.exists(path.resolve("replica-id"))) {
            try {
                boolean isRoots = Files.getAttribute(path, "unix:uid").equals(0);
                Set<PosixFilePermission> kept = Files.getPosixFilePermissions(path);
                if (kept.retainAll(isRoots ? PASSABLE : OWNER_ONLY)) {
                    Files.setPosixFilePermissions(path, kept);
                }
            } catch (UnsupportedOperationException e) {
                // The file system has no such permissions.
            }
        }
        return path;
    }

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
