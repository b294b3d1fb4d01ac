package dev.orloj.api.v1;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;

/** Checks paths in a container at which something is mounted. */
final class ContainerPaths {

    /** The rule for a path, for messages. */
    static final String PLAIN =
            "must be an absolute path without . and .., and without / at its end";

    /** First folders of a path that belong to the kernel. */
    private static final Set<String> OF_THE_KERNEL = Set.of("", "proc", "sys", "dev");

    private ContainerPaths() {}

    /** Returns whether a path is absolute and already normalized. */
    static boolean isPlain(String path) {
        try {
            return path.startsWith("/") && Path.of(path).normalize().toString().equals(path);
        } catch (InvalidPathException e) {
            return false; // a NUL or an unpaired surrogate
        }
    }

    /**
     * @param path a plain one
     */
    static boolean isOfTheKernel(String path) {
        return OF_THE_KERNEL.contains(path.split("/", -1)[1]);
    }
}
