package dev.orloj.runtime.workload;

import org.jspecify.annotations.Nullable;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a child and all its descendants carry in their environment, by which they are told from
 * everybody else's processes: whose they are, which orlojd started them, and which start it was.
 * Immutable.
 *
 * @param owner the replica, the same before and after a restart
 * @param pid of the orlojd that started the child
 * @param startTime of that orlojd, in clock ticks since the host booted: its pid may have been
 *     given to somebody else
 * @param number counts the children of that orlojd
 */
record ProcessMarker(String owner, long pid, long startTime, long number) {

    static final String VARIABLE = "ORLOJ_CHILD";

    private static final Pattern TEXT =
            Pattern.compile("([A-Za-z0-9.-]+)/(\\d{1,10})-(\\d{1,18})/(\\d{1,18})");

    /** Null when the text is no mark. */
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

    /** The value of the variable. */
    String text() {
        return owner + "/" + pid + "-" + startTime + "/" + number;
    }
}
