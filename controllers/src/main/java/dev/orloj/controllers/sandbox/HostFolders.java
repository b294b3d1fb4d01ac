package dev.orloj.controllers.sandbox;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.runtime.container.spec.HostMount;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Decides which folders of the host Sandboxes may mount. Symbolic links are resolved first: the
 * real location of a folder counts, not its name. Immutable and thread-safe.
 *
 * @param roots folders that the operator allows for mounts; empty for none
 * @param withheld folders that no Sandbox may mount, nor anything above or below them
 */
public record HostFolders(List<Path> roots, List<Path> withheld) {

    /** Allows no folder. */
    public static final HostFolders NONE = new HostFolders(List.of(), List.of());

    private static final String FLAG = "--sandbox-mount-root";

    private static final String NO_FOLDER = "is no folder of the host of orlojd; create it first";

    /** Folders of the kernel, devices, sockets, and the storage of container engines. */
    private static final List<Path> SYSTEM =
            List.of(
                    Path.of("/proc"),
                    Path.of("/sys"),
                    Path.of("/dev"),
                    Path.of("/run"),
                    Path.of("/var/run"),
                    Path.of("/var/lib/docker"),
                    Path.of("/var/lib/containerd"),
                    Path.of("/var/lib/containers"));

    private static final FieldPath MOUNTS = FieldPath.of("spec", "mounts");

    public HostFolders {
        roots = List.copyOf(roots);
        withheld = List.copyOf(withheld);
    }

    /**
     * @param withheld folders that no Sandbox may mount, in addition to those of the system
     * @throws IllegalArgumentException naming a root that is not a folder or is withheld
     */
    public static HostFolders of(List<Path> roots, List<Path> withheld) {
        List<Path> all = new ArrayList<>();
        SYSTEM.forEach(path -> all.add(real(path).orElse(path)));
        withheld.forEach(path -> all.add(real(path).orElse(path.toAbsolutePath().normalize())));
        List<Path> folders = new ArrayList<>();
        for (Path root : roots) {
            Path folder =
                    real(root)
                            .filter(path -> root.isAbsolute() && Files.isDirectory(path))
                            .orElseThrow(
                                    () ->
                                            new IllegalArgumentException(
                                                    "%s %s is not an absolute path of a folder"
                                                            .formatted(FLAG, root)));
            if (all.stream().anyMatch(folder::startsWith)) {
                throw new IllegalArgumentException(
                        "%s %s belongs to the system or to orlojd".formatted(FLAG, root));
            }
            folders.add(folder);
        }
        return new HostFolders(folders, all);
    }

    /**
     * Resolves the mounts for the engine. Links are followed once, so the folders returned are the
     * ones that were checked.
     */
    MountResolution resolve(List<Sandbox.Mount> mounts) {
        return resolve(mounts, HostFolders::real);
    }

    /**
     * @param follow resolves all links of a path; empty when the target does not exist
     */
    MountResolution resolve(List<Sandbox.Mount> mounts, Function<Path, Optional<Path>> follow) {
        List<HostMount> allowed = new ArrayList<>();
        List<FieldError> errors = new ArrayList<>();
        for (int i = 0; i < mounts.size(); i++) {
            Sandbox.Mount mount = mounts.get(i);
            Path folder = folder(mount.hostPath(), follow);
            String objection = objection(folder);
            if (folder == null || objection != null) {
                errors.add(
                        FieldError.invalid(
                                MOUNTS.index(i).child("host_path"),
                                mount.hostPath(),
                                objection == null ? NO_FOLDER : objection));
            } else {
                allowed.add(new HostMount(folder, mount.mountPath(), mount.isReadOnly()));
            }
        }
        return errors.isEmpty()
                ? new MountResolution.Resolved(allowed)
                : new MountResolution.Refused(errors);
    }

    private @Nullable String objection(@Nullable Path folder) {
        if (roots.isEmpty()) {
            return "no folder of the host is set aside for sandboxes; start orlojd with " + FLAG;
        }
        if (folder == null) {
            return NO_FOLDER;
        }
        if (roots.stream().noneMatch(folder::startsWith)) {
            return "is not below %s, which is what %s of orlojd sets aside; links are followed"
                    .formatted(names(roots), FLAG);
        }
        boolean isWithheld =
                withheld.stream()
                        .anyMatch(path -> folder.startsWith(path) || path.startsWith(folder));
        return isWithheld ? "holds or is held by what belongs to the system or to orlojd" : null;
    }

    private static String names(List<Path> paths) {
        return paths.stream().map(Path::toString).collect(Collectors.joining(", "));
    }

    /** Returns the real path of the folder with all links followed, or null if there is none. */
    private static @Nullable Path folder(String name, Function<Path, Optional<Path>> follow) {
        try {
            Path path = Path.of(name);
            Optional<Path> place = path.isAbsolute() ? follow.apply(path) : Optional.empty();
            return place.filter(real -> Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS))
                    .orElse(null);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static Optional<Path> real(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException e) {
            return Optional.empty(); // missing or not readable
        }
    }
}
