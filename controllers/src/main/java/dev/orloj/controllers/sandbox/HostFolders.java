package dev.orloj.controllers.sandbox;

import dev.orloj.api.v1.Sandbox;
import dev.orloj.api.validation.FieldError;
import dev.orloj.api.validation.FieldPath;
import dev.orloj.runtime.container.HostMount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    /** What of the mounts is not allowed here and now. */
    List<FieldError> check(List<Sandbox.Mount> mounts) {
        List<FieldError> errors = new ArrayList<>();
        for (int i = 0; i < mounts.size(); i++) {
            FieldPath path = MOUNTS.index(i).child("host_path");
            String wish = mounts.get(i).hostPath();
            objection(wish).ifPresent(why -> errors.add(FieldError.invalid(path, wish, why)));
        }
        return errors;
    }

    /** The mounts as the engine is asked for them, once they have been checked. */
    List<HostMount> resolve(List<Sandbox.Mount> mounts) {
        return mounts.stream()
                .map(
                        mount ->
                                new HostMount(
                                        real(Path.of(mount.hostPath())).orElseThrow(),
                                        mount.mountPath(),
                                        mount.isReadOnly()))
                .toList();
    }

    private Optional<String> objection(String wish) {
        if (roots.isEmpty()) {
            return Optional.of(
                    "no folder of the host is set aside for sandboxes; start orlojd with %s"
                            .formatted(FLAG));
        }
        Optional<Path> folder = path(wish).flatMap(HostFolders::real).filter(Files::isDirectory);
        if (folder.isEmpty()) {
            return Optional.of("is no folder of the host of orlojd; create it first");
        }
        Path place = folder.get();
        boolean isOutside = roots.stream().noneMatch(place::startsWith);
        if (isOutside) {
            return Optional.of(
                    "is not below %s, which is what %s of orlojd sets aside; links are followed"
                            .formatted(names(roots), FLAG));
        }
        boolean isWithheld =
                withheld.stream()
                        .anyMatch(path -> place.startsWith(path) || path.startsWith(place));
        return isWithheld
                ? Optional.of("holds or is held by what belongs to the system or to orlojd")
                : Optional.empty();
    }

    private static String names(List<Path> paths) {
        return paths.stream().map(Path::toString).collect(Collectors.joining(", "));
    }

    private static Optional<Path> path(String text) {
        try {
            return Optional.of(Path.of(text)).filter(Path::isAbsolute);
        } catch (InvalidPathException e) {
            return Optional.empty();
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
