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
 * The processes of this host at one moment, from {@code /proc}. Empty where there is none. One
 * reading serves any number of questions. Thread-safe.
 */
public final class ProcessTable {

    private static final Path PROC = Path.of("/proc");

    /** The kernel counts in hundredths of a second whatever its own clock does (USER_HZ). */
    private static final long MILLIS_PER_TICK = 10;

    // Places in /proc/PID/stat behind the name of the program, which may hold anything.
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
            // Another system than Linux: nothing is known.
            return new ProcessTable(proc, Map.of());
        }
        return new ProcessTable(proc, entries);
    }

    /**
     * Of a process, its descendants, and those that left it and carry its {@link ProcessMarker};
     * empty when it is not there.
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

    /** Read when it is asked for first. */
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

    /** {@code VmRSS: 3120 kB}; a process that has just ended has no such line. */
    private long residentBytes(long pid) {
        return text(folder(pid).resolve("status"))
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> line.replaceAll("[^0-9]", ""))
                .mapToLong(kilobytes -> Long.parseLong(kilobytes) * 1024)
                .findFirst()
                .orElse(0);
    }

    /** Empty when the process is gone, as any may be at any time. */
    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
