package dev.orloj.runtime.workload;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One process of this host and no later one, though its id may be given to others. Immutable.
 *
 * @param startTime in clock ticks since the host booted; 0 where that is not known
 */
public record ProcessIdentity(long pid, long startTime) {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,10})-(\\d{1,18})");

    /** Of orlojd itself. */
    public static ProcessIdentity own() {
        long pid = ProcessHandle.current().pid();
        return new ProcessIdentity(pid, Math.max(0, MarkedProcesses.startTime(pid)));
    }

    /** Of what {@link #toString} gave; empty for any other text. */
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
