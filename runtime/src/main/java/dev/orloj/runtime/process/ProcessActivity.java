package dev.orloj.runtime.process;

import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Measures the processor time of a process and its descendants, from {@code /proc}. Reads only the
 * files of these processes, because a table of all processes would be too expensive.
 */
public final class ProcessActivity {

    private static final Path PROC = Path.of("/proc");

    // Positions in /proc/PID/stat after the name of the program: the process's own time, and that
    // of its reaped children.
    private static final int FIRST_TIME = 11;
    private static final int LAST_TIME = 14;

    /** Maximum number of processes that are read. Further descendants do not count. */
    private static final int MAX_PROCESSES = 50;

    private ProcessActivity() {}

    /** Returns kernel ticks; empty when the process does not exist or /proc is not available. */
    public static OptionalLong ticks(long pid) {
        long ticks = 0;
        int seen = 0;
        for (long next : ProcessFamily.of(pid, MAX_PROCESSES)) {
            String stat = ProcFile.text(PROC.resolve(next + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
            if (fields.length > LAST_TIME) {
                seen++;
                for (int i = FIRST_TIME; i <= LAST_TIME; i++) {
                    ticks += Long.parseLong(fields[i]);
                }
            }
        }
        return seen == 0 ? OptionalLong.empty() : OptionalLong.of(ticks + seen);
    }
}
