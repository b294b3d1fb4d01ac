package dev.orloj.runtime.container.secret;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.container.spec.ContainerLabels;
import dev.orloj.runtime.container.spec.SecretFile;
import dev.orloj.runtime.workload.ProcessIdentity;
import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Stores secrets as files while their containers run: in memory, where this host has a place for
 * that, below a folder that only the user of orlojd may enter. Thread-safe.
 *
 * <p>Only the user of the container owns and reads a file. Changing the owner requires root.
 * Without that right, the file is readable for all users who can reach it: on the host the user of
 * orlojd, and in the container every user.
 */
public final class SecretFiles {

    private static final Logger log = LoggerFactory.getLogger(SecretFiles.class);
    private static final String PREFIX = "orloj-secrets-";

    private final Path place;
    private final ContainerLabels labels;

    @GuardedBy("this")
    private @Nullable Path folder;

    /**
     * @param place a writable folder, see {@link #place}
     */
    public SecretFiles(Path place, ContainerLabels labels) {
        this.place = place;
        this.labels = labels;
    }

    /** Returns the best location on this host. */
    public static Path place(Map<String, String> environment) {
        return Stream.of("/dev/shm", environment.getOrDefault("XDG_RUNTIME_DIR", ""))
                .filter(path -> !path.isEmpty())
                .map(Path::of)
                .filter(path -> Files.isDirectory(path) && Files.isWritable(path))
                .findFirst()
                .orElseGet(SecretFiles::onDisk);
    }

    private static Path onDisk() {
        Path place = Path.of(System.getProperty("java.io.tmpdir"));
        log.atWarn()
                .addKeyValue("folder", place)
                .log("Secrets of containers lie on disk: there is no folder in memory to be used");
        return place;
    }

    /**
     * @param uid uid of the user of the container; empty when the files cannot be given to that
     *     user
     * @throws WorkloadException when the files cannot be written
     */
    public SecretMounts write(List<SecretFile> secrets, OptionalInt uid) {
        if (secrets.isEmpty()) {
            return SecretMounts.NONE;
        }
        Path home = null;
        try {
            home = Files.createTempDirectory(folder(), "", ownerOnly());
            Map<String, Path> files = new HashMap<>();
            for (SecretFile secret : secrets) {
                Path file = home.resolve(Integer.toString(files.size()));
                Files.write(file, secret.content());
                restrict(file, uid);
                files.put(secret.path(), file);
            }
            return new SecretMounts(home, files);
        } catch (IOException e) {
            if (home != null) {
                delete(home);
            }
            throw new WorkloadException(
                    "Secrets of the container could not be written below %s: %s"
                            .formatted(place, e.getMessage()),
                    e);
        }
    }

    private static void restrict(Path file, OptionalInt uid) throws IOException {
        boolean given = uid.isPresent() && give(file, uid.getAsInt());
        Files.setPosixFilePermissions(
                file, PosixFilePermissions.fromString(given ? "r--------" : "r--r--r--"));
    }

    private static boolean give(Path file, int uid) {
        try {
            Files.setAttribute(file, "unix:uid", uid);
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            // Only root may give files away, and not every file system has owners.
            return false;
        }
    }

    /** Removes the files that an orlojd of the same replica left behind when it died. */
    public void sweep() {
        String prefix = PREFIX + labels.replica() + "_";
        try (DirectoryStream<Path> found = Files.newDirectoryStream(place, prefix + "*")) {
            for (Path candidate : found) {
                String instance =
                        candidate.getFileName().toString().substring(prefix.length()).split("_")[0];
                if (ProcessIdentity.parse(instance).filter(ProcessIdentity::isAlive).isEmpty()) {
                    delete(candidate);
                    log.atWarn()
                            .addKeyValue("folder", candidate)
                            .log("Removed secrets that an orlojd left behind when it died");
                }
            }
        } catch (IOException e) {
            log.atWarn()
                    .addKeyValue("folder", place)
                    .addKeyValue("error", e.toString())
                    .log("Secrets that a dead orlojd may have left were not looked for");
        }
    }

    /** Removes all remaining files. */
    public synchronized void close() {
        if (folder != null) {
            delete(folder);
            folder = null;
        }
    }

    private synchronized Path folder() throws IOException {
        Path known = folder;
        if (known == null) {
            known =
                    Files.createTempDirectory(
                            place,
                            PREFIX + labels.replica() + "_" + labels.instance() + "_",
                            ownerOnly());
            folder = known;
        }
        return known;
    }

    private static FileAttribute<?> ownerOnly() {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    }

    static void delete(Path tree) {
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            log.atError()
                    .addKeyValue("folder", tree)
                    .addKeyValue("error", e.toString())
                    .log("Secrets of a container could not be removed");
        }
    }
}
