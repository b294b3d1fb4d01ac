package dev.orloj.runtime.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
        List<Long> family = new ArrayList<>();
        family.add(pid);
        for (int i = 0; i < family.size() && family.size() < limit; i++) {
            addChildren(family.get(i), family);
        }
        return family.subList(0, Math.min(family.size(), limit));
    }

    /** Each thread has a list of the processes that it started. */
    private static void addChildren(long pid, List<Long> family) {
        Path tasks = PROC.resolve(pid + "/task");
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                String children =
                        Files.readString(thread.resolve("children"), StandardCharsets.ISO_8859_1);
                children.strip()
                        .lines()
                        .flatMap(line -> List.of(line.split(" ")).stream())
                        .forEach(child -> family.add(Long.valueOf(child)));
            }
        } catch (IOException e) {
            return; // it has ended, or the system has no such file
        }
    }
}
