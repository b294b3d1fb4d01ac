package dev.orloj.runtime.workload;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Finds processes of this host by their {@link ProcessMarker}, anywhere in the process tree,
 * including those that left their session and lost their parent. Requires /proc; on hosts without
 * it, finds no process. A process that cleared its environment is not found. Stateless.
 */
final class MarkedProcesses {

    private static final Path PROC = Path.of("/proc");
    private static final byte[] VARIABLE =
            (ProcessMarker.VARIABLE + "=").getBytes(StandardCharsets.US_ASCII);
    private static final Duration POLL = Duration.ofMillis(10);
    private static final int START_TIME_AFTER_NAME = 19;

    private MarkedProcesses() {}

    /**
     * Returns the running processes with a matching marker. A handle contains the start time of its
     * process, so a signal never reaches a later process with the same pid.
     */
    static List<ProcessHandle> find(Predicate<ProcessMarker> wanted) {
        List<ProcessHandle> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path entry : entries) {
                // The handle before the marker: if the pid is reused in between, the handle is
                // dead.
                ProcessHandle handle = handle(entry);
                ProcessMarker marker = handle == null ? null : mark(entry);
                if (handle != null && marker != null && wanted.test(marker)) {
                    found.add(handle);
                }
            }
        } catch (IOException e) {
            return List.of(); // a host without /proc
        }
        return found;
    }

    /**
     * Sends SIGTERM to all matching processes, and kills them after the grace. Returns their
     * number.
     */
    static int stop(Predicate<ProcessMarker> wanted, Duration grace) {
        List<ProcessHandle> first = find(wanted);
        if (first.isEmpty()) {
            return 0;
        }
        first.forEach(ProcessHandle::destroy);
        awaitEnd(first, grace);
        return Math.max(first.size(), kill(wanted));
    }

    /**
     * Kills matching processes until none is left, because a process may have started others before
     * it was killed.
     */
    static int kill(Predicate<ProcessMarker> wanted) {
        int killed = 0;
        long giveUp = System.nanoTime() + HostProcess.KILL_TIMEOUT.toNanos();
        List<ProcessHandle> left = find(wanted);
        while (!left.isEmpty() && System.nanoTime() - giveUp < 0) {
            killed = Math.max(killed, left.size());
            left.forEach(ProcessHandle::destroyForcibly);
            awaitEnd(left, HostProcess.KILL_TIMEOUT);
            left = find(wanted);
        }
        return killed;
    }

    /**
     * Returns the start time of a process in clock ticks since the host booted; -1 when it does not
     * exist.
     */
    static long startTime(long pid) {
        String stat =
                new String(
                        read(PROC.resolve(Long.toString(pid)).resolve("stat")),
                        StandardCharsets.ISO_8859_1);
        // The name is in parentheses and may contain any character, parentheses included.
        int name = stat.lastIndexOf(')');
        if (name < 0) {
            return -1;
        }
        String[] fields = stat.substring(name + 2).split(" ", -1);
        return fields.length > START_TIME_AFTER_NAME
                ? Long.parseLong(fields[START_TIME_AFTER_NAME])
                : -1;
    }

    private static @Nullable ProcessHandle handle(Path entry) {
        long pid = Long.parseLong(entry.getFileName().toString());
        return pid <= 1 || pid == ProcessHandle.current().pid()
                ? null
                : ProcessHandle.of(pid).orElse(null);
    }

    /**
     * Returns the marker of a process, given its folder in /proc. A zombie has no environment any
     * more, and environments of other users are not readable.
     */
    static @Nullable ProcessMarker mark(Path entry) {
        byte[] environment = read(entry.resolve("environ"));
        for (int start = 0; start < environment.length; ) {
            int end = start;
            while (end < environment.length && environment[end] != 0) {
                end++;
            }
            if (startsWithVariable(environment, start, end)) {
                int value = start + VARIABLE.length;
                return ProcessMarker.parse(
                        new String(environment, value, end - value, StandardCharsets.ISO_8859_1));
            }
            start = end + 1;
        }
        return null;
    }

    private static boolean startsWithVariable(byte[] environment, int start, int end) {
        if (end - start < VARIABLE.length) {
            return false;
        }
        for (int i = 0; i < VARIABLE.length; i++) {
            if (environment[start + i] != VARIABLE[i]) {
                return false;
            }
        }
        return true;
    }

    /** Polls for the end of processes, because another process reaps orphans. */
    private static void awaitEnd(List<ProcessHandle> processes, Duration timeout) {
        long giveUp = System.nanoTime() + timeout.toNanos();
        while (processes.stream().anyMatch(MarkedProcesses::runs)
                && System.nanoTime() - giveUp < 0) {
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private static boolean runs(ProcessHandle process) {
        return process.isAlive() && mark(PROC.resolve(Long.toString(process.pid()))) != null;
    }

    /** Returns no bytes when the process ended in the meantime or belongs to another user. */
    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            return new byte[0];
        }
    }
}
