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

/** Reads and changes owners and permissions of files, as far as PostgreSQL requires. */
final class PosixAccess {

    static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** The position of the effective user id after {@code Uid:}; the real one comes first. */
    private static final int EFFECTIVE_UID = 2;

    private PosixAccess() {}

    /** Returns the numeric user id whose rights this process has. */
    static int currentUid() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            String uids = lines.filter(line -> line.startsWith("Uid:")).findFirst().orElseThrow();
            return Integer.parseInt(uids.split("\\s+")[EFFECTIVE_UID]);
        }
    }

    static int uid(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    /** Lets all users enter and read the directory, and only its owner change it. */
    static void openToAll(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Lets only the owner enter. */
    static void closeToOthers(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    /** Lets only the owner read the file. */
    static void hideFromOthers(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /**
     * Restricts a directory of root to one group: assigns the group, which may pass through, and
     * excludes all other users. A directory that only root may enter stays closed.
     */
    static void letOnlyGroupPass(int gid, Path directory) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
        boolean isOpen =
                permissions.contains(PosixFilePermission.OTHERS_EXECUTE)
                        || permissions.contains(PosixFilePermission.GROUP_EXECUTE);
        if (uid(directory) == 0 && isOpen) {
            Files.setAttribute(directory, "unix:gid", gid);
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x---"));
        }
    }

    /**
     * Returns whether the user, whose only group has the same id, may reach what is below the
     * directory.
     */
    static boolean mayEnter(int id, Path directory) throws IOException {
        for (Path at = directory; at != null; at = at.getParent()) {
            PosixFilePermission needed =
                    Files.getAttribute(at, "unix:gid").equals(id)
                            ? PosixFilePermission.GROUP_EXECUTE
                            : PosixFilePermission.OTHERS_EXECUTE;
            if (!Files.getPosixFilePermissions(at).contains(needed)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Gives a tree to a user; does nothing when the user already owns the root of the tree. Leaves
     * files that do not belong to the previous owner of the root, and the targets of links,
     * unchanged.
     */
    static void giveTo(int uid, int gid, Path root) throws IOException {
        int owner = uid(root);
        if (owner == uid) {
            return;
        }
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        give(file);
                        return FileVisitResult.CONTINUE;
                    }

                    // The root comes last: its owner shows the next start that everything below is
                    // done.
                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path directory, @Nullable IOException e) throws IOException {
                        if (e != null) {
                            throw e;
                        }
                        give(directory);
                        return FileVisitResult.CONTINUE;
                    }

                    private void give(Path path) throws IOException {
                        if (uid(path) == owner) {
                            Files.setAttribute(path, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
                            Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
                        }
                    }
                });
    }
}
