package dev.orloj.server.postgres;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;

/** Owners and permissions of files, as far as running PostgreSQL needs them. */
final class PosixAccess {

    static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** Which word after {@code Uid:} it is; the first is the real one. */
    private static final int EFFECTIVE_UID = 2;

    private PosixAccess() {}

    /** The numeric user whose rights this process has. */
    static int currentUid() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            String uids = lines.filter(line -> line.startsWith("Uid:")).findFirst().orElseThrow();
            return Integer.parseInt(uids.split("\\s+")[EFFECTIVE_UID]);
        }
    }

    static int uid(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    /** Everybody may enter and read the directory, only its owner change it. */
    static void openToAll(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Only the owner may enter. */
    static void closeToOthers(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    /** Only the owner may read the file. */
    static void hideFromOthers(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /** Whether any user may reach what lies below the directory. */
    static boolean everybodyMayEnter(Path directory) throws IOException {
        for (Path at = directory; at != null; at = at.getParent()) {
            if (!Files.getPosixFilePermissions(at).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                return false;
            }
        }
        return true;
    }

    /** Gives a tree to a user; free when the root of the tree is theirs already. */
    static void giveTo(int uid, Path root) throws IOException {
        if (uid(root) == uid) {
            return;
        }
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        chown(file, uid);
                        return FileVisitResult.CONTINUE;
                    }

                    // The root comes last: it tells the next start that everything below is done.
                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path directory, @Nullable IOException e) throws IOException {
                        chown(directory, uid);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    private static void chown(Path path, int uid) throws IOException {
        Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:gid", uid, LinkOption.NOFOLLOW_LINKS);
    }
}
