package dev.orloj.runtime.workload;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A snapshot of the processes of this host, from {@code /proc}. Empty on hosts without it. One
 * snapshot answers any number of queries. Thread-safe.
 */
public final class ProcessTable {

    private static final Path PROC = Path.of("/proc");

    /** The kernel counts in hundredths of a second, regardless of its own clock (USER_HZ). */
    private static final long MILLIS_PER_TICK = 10;

    // Positions in /proc/PID/stat after the name of the program, which may contain any character.
    private static final int PARENT = 1;
    private static final int FIRST_TIME = 11;
    private static final int LAST_TIME = 14;

    private record Entry(long parent, long ticks) {}

    private final Path proc;
    private final Map<Long, Entry> entries;
    private final Map<Long, List<Long>> children = new HashMap<>();

    @GuardedBy("this")
    private @Nullable Map<ProcessMarker, List<Long>> marked;

    private ProcessTable(Path proc, Map<Long, Entry> entries) {
        this.proc = proc;
        this.entries = entries;
        entries.forEach(
                (pid, entry) ->
                        children.computeIfAbsent(entry.parent(), p -> new ArrayList<>()).add(pid));
    }

    public static ProcessTable read() {
        return read(PROC);
    }

    static ProcessTable read(Path proc) {
        Map<Long, Entry> entries = new HashMap<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path folder : folders) {
                parse(text(folder.resolve("stat")))
                        .ifPresent(
                                entry ->
                                        entries.put(
                                                Long.valueOf(folder.getFileName().toString()),
                                                entry));
            }
        } catch (IOException e) {
            // Not Linux: no processes are known.
            return new ProcessTable(proc, Map.of());
        }
        return new ProcessTable(proc, entries);
    }

    /**
     * Returns the usage of a process, its descendants, and the processes that left it and carry its
     * {@link ProcessMarker}; empty when the process does not exist.
     */
    public Optional<ProcessUsage> usage(long root) {
        if (!entries.containsKey(root)) {
            return Optional.empty();
        }
        int processes = 0;
        long bytes = 0;
        long ticks = 0;
        Deque<Long> left = new ArrayDeque<>(List.of(root));
        left.addAll(detached(root));
        Set<Long> seen = new HashSet<>();
        while (!left.isEmpty()) {
            long pid = left.pop();
            Entry entry = entries.get(pid);
            if (entry != null && seen.add(pid)) {
                processes++;
                ticks += entry.ticks();
                bytes += residentBytes(pid);
                left.addAll(children.getOrDefault(pid, List.of()));
            }
        }
        return Optional.of(
                new ProcessUsage(processes, bytes, Duration.ofMillis(ticks * MILLIS_PER_TICK)));
    }

    private List<Long> detached(long root) {
        ProcessMarker marker = MarkedProcesses.mark(folder(root));
        return marker == null ? List.of() : byMark().getOrDefault(marker, List.of());
    }

    /** Reads the markers on first use. */
    private synchronized Map<ProcessMarker, List<Long>> byMark() {
        if (marked == null) {
            Map<ProcessMarker, List<Long>> found = new HashMap<>();
            for (long pid : entries.keySet()) {
                ProcessMarker marker = MarkedProcesses.mark(folder(pid));
                if (marker != null) {
                    found.computeIfAbsent(marker, m -> new ArrayList<>()).add(pid);
                }
            }
            marked = found;
        }
        return marked;
    }

    private Path folder(long pid) {
        return proc.resolve(Long.toString(pid));
    }

    private static Optional<Entry> parse(String stat) {
        int end = stat.lastIndexOf(')');
        String[] fields = stat.substring(end + 1).strip().split(" ", -1);
        if (end < 0 || fields.length <= LAST_TIME) {
            return Optional.empty();
        }
        long ticks = 0;
        for (int i = FIRST_TIME; i <= LAST_TIME; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return Optional.of(new Entry(Long.parseLong(fields[PARENT]), ticks));
    }

    /** Parses {@code VmRSS: 3120 kB}; a process that has just ended has no such line. */
    private long residentBytes(long pid) {
        return text(folder(pid).resolve("status"))
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> line.replaceAll("[^0-9]", ""))
                .mapToLong(kilobytes -> Long.parseLong(kilobytes) * 1024)
                .findFirst()
                .orElse(0);
    }

    /** Returns an empty text when the process is gone, which may happen at any time. */
    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
