package dev.orloj.runtime.workload;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identifies one process of this host, even if its pid is reused. Immutable.
 *
 * @param startTime in clock ticks since the host booted; 0 where it is not known
 */
public record ProcessIdentity(long pid, long startTime) {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,10})-(\\d{1,18})");

    /** Returns the identity of orlojd itself. */
    public static ProcessIdentity own() {
        long pid = ProcessHandle.current().pid();
        return new ProcessIdentity(pid, Math.max(0, MarkedProcesses.startTime(pid)));
    }

    /** Parses the result of {@link #toString}; returns empty for any other text. */
    public static Optional<ProcessIdentity> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(
                        new ProcessIdentity(
                                Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }

    public boolean isAlive() {
        return MarkedProcesses.startTime(pid) == startTime;
    }

    /** {@code 4711-123456}. */
    @Override
    public String toString() {
        return pid + "-" + startTime;
    }
}
