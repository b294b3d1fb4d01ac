package dev.orloj.server.config;

import com.sun.security.auth.module.UnixSystem;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.Environment;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The directory of orlojd's files: the embedded database and the key of its Secrets. */
public record DataDirectory(Path path) {

    private static final Logger log = LoggerFactory.getLogger(DataDirectory.class);

    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rwx------");

    /** The PostgreSQL of a root orlojd runs as another user, who has to get to its own folder. */
    private static final Set<PosixFilePermission> PASSABLE =
            PosixFilePermissions.fromString("rwx--x--x");

    /**
     * Mode bits: others may write, or files created inside do not simply belong to their creator.
     */
    private static final int SHARED = 07022;

    /**
     * Creates the directory when it is missing, and denies other users access to orlojd's own
     * files, in a new directory and in one that an earlier orlojd has left open. It never adds a
     * permission.
     */
    Path prepare() throws IOException {
        return prepare(new UnixSystem().getUid());
    }

    Path prepare(long self) throws IOException {
        boolean isNew = !Files.exists(path);
        Files.createDirectories(path);
        try {
            if (isNew || isLeftOpenBy(self)) {
                Set<PosixFilePermission> kept = Files.getPosixFilePermissions(path);
                if (kept.retainAll(self == 0 ? PASSABLE : OWNER_ONLY)) {
                    Files.setPosixFilePermissions(path, kept);
                }
            }
        } catch (UnsupportedOperationException e) {
            // The file system has no such permissions, so there is nothing to close.
        } catch (FileSystemException e) {
            log.atWarn()
                    .addKeyValue("directory", path)
                    .addKeyValue("cause", e.getReason())
                    .log(
                            "The data directory could not be closed to other users: make it the"
                                    + " property of the user of orlojd, with mode 0700");
        }
        return path;
    }

    /** A directory of another user, or one that others may write to, is shared with others. */
    private boolean isLeftOpenBy(long self) throws IOException {
        return Files.exists(path.resolve("replica-id"))
                && ((Integer) Files.getAttribute(path, "unix:uid")).longValue() == self
                && ((Integer) Files.getAttribute(path, "unix:mode") & SHARED) == 0;
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
