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
 * Which folders of the host Sandboxes may see. Links are followed first: what counts is where a
 * folder is, not what it is called. Immutable, safe for many threads.
 *
 * @param roots folders that operators have set aside for this; empty for none
 * @param withheld what nobody gets, nor anything above or below it
 */
public record HostFolders(List<Path> roots, List<Path> withheld) {

    /** No folder at all. */
    public static final HostFolders NONE = new HostFolders(List.of(), List.of());

    private static final String FLAG = "--sandbox-mount-root";

    private static final String NO_FOLDER = "is no folder of the host of orlojd; create it first";

    /** Kernel, devices, sockets, and the storage of engines. */
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
     * @param withheld what nobody gets beside what belongs to the system
     * @throws IllegalArgumentException naming a root that is no folder, or that nobody gets
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
     * The mounts as the engine is asked for them. Links are followed once: the folders that are
     * checked are the ones that are given back.
     */
    MountResolution resolve(List<Sandbox.Mount> mounts) {
        return resolve(mounts, HostFolders::real);
    }

    /**
     * @param follow where a path leads, all links followed; empty when it leads nowhere
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

    /** Where the folder of that name is, all links followed; null when there is none. */
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
            return Optional.empty(); // not there, or not to be seen
        }
    }
}
