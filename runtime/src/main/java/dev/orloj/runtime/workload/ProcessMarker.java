package dev.orloj.runtime.workload;

import org.jspecify.annotations.Nullable;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The marker in the environment of a child and of all its descendants. It distinguishes them from
 * all other processes: by the owner, by the orlojd that started them, and by the start. Immutable.
 *
 * @param owner the replica, unchanged after a restart
 * @param pid pid of the orlojd that started the child
 * @param startTime start time of that orlojd, in clock ticks since the host booted, because its pid
 *     may be reused
 * @param number sequence number of the child
 */
record ProcessMarker(String owner, long pid, long startTime, long number) {

    static final String VARIABLE = "ORLOJ_CHILD";

    private static final Pattern TEXT =
            Pattern.compile("([A-Za-z0-9.-]+)/(\\d{1,10})-(\\d{1,18})/(\\d{1,18})");

    /** Returns the marker, or null when the text is not one. */
    static @Nullable ProcessMarker parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? new ProcessMarker(
                        matcher.group(1),
                        Long.parseLong(matcher.group(2)),
                        Long.parseLong(matcher.group(3)),
                        Long.parseLong(matcher.group(4)))
                : null;
    }

    /** Returns the value of the environment variable. */
    String text() {
        return owner + "/" + pid + "-" + startTime + "/" + number;
    }
}
