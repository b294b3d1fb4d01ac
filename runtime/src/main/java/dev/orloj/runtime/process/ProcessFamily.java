package dev.orloj.runtime.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the descendants of a process by the lists of {@code /proc}. A search through all processes
 * would take longer the more servers there are. Stateless.
 */
public final class ProcessFamily {

    private static final Path PROC = Path.of("/proc");

    private ProcessFamily() {}

    /**
     * Returns a process and its descendants, parents first. Without {@code /proc}, it is alone.
     *
     * @param limit of the number of processes
     */
    public static List<Long> of(long pid, int limit) {
        return of(PROC, pid, limit);
    }

    static List<Long> of(Path proc, long pid, int limit) {
        List<Long> family = new ArrayList<>();
        family.add(pid);
        for (int i = 0; i < family.size() && family.size() < limit; i++) {
            addChildren(proc.resolve(family.get(i) + "/task"), family);
        }
        return family.subList(0, Math.min(family.size(), limit));
    }

    /** Each thread has a list of the processes that it started. */
    private static void addChildren(Path threads, List<Long> family) {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(threads)) {
            for (Path thread : stream) {
                for (String child : ProcFile.text(thread.resolve("children")).split(" ")) {
                    if (!child.isBlank()) {
                        family.add(Long.valueOf(child));
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return; // it has ended, or the system has no such folder
        }
    }
}
