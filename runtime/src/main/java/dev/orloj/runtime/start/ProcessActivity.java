package dev.orloj.runtime.start;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * The time that a process and its descendants have worked, from {@code /proc}. Reads their files
 * only, where a table of all processes would cost more than what it is asked for.
 */
final class ProcessActivity {

    private static final Path PROC = Path.of("/proc");

    // Places in /proc/PID/stat behind the name of the program: own time, and that of waited-for
    // children.
    private static final int FIRST_TIME = 11;
    private static final int LAST_TIME = 14;

    /** One with more of them is busy anyway. */
    private static final int MOST_PROCESSES = 50;

    private ProcessActivity() {}

    /** Ticks of the kernel; empty for a process that is not there, or where nothing is known. */
    static OptionalLong ticks(long pid) {
        Deque<Long> left = new ArrayDeque<>();
        left.add(pid);
        long ticks = 0;
        int seen = 0;
        while (!left.isEmpty() && seen < MOST_PROCESSES) {
            long next = left.remove();
            String stat = text(PROC.resolve(next + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
            if (fields.length > LAST_TIME) {
                seen++;
                for (int i = FIRST_TIME; i <= LAST_TIME; i++) {
                    ticks += Long.parseLong(fields[i]);
                }
                children(next, left);
            }
        }
        return seen == 0 ? OptionalLong.empty() : OptionalLong.of(ticks + seen);
    }

    private static void children(long pid, Deque<Long> into) {
        for (String child :
                text(PROC.resolve("%d/task/%d/children".formatted(pid, pid)))
                        .strip()
                        .split(" ", -1)) {
            if (!child.isEmpty()) {
                into.add(Long.valueOf(child));
            }
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // it has ended, or the system has no such file
        }
    }
}
