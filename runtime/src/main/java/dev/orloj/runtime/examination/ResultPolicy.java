package dev.orloj.runtime.examination;

import java.util.Locale;

/** What happens with the result of a call that has findings. */
public enum ResultPolicy {
    /** Results are not examined. */
    OFF("passed"),
    /** The result passes unchanged, with a note. */
    WARN("warned"),
    /** What was found is removed, and a note says so. */
    STRIP("stripped"),
    /** An error replaces the result. */
    BLOCK("blocked");

    private final String action;

    ResultPolicy(String action) {
        this.action = action;
    }

    /** Returns the name of the policy in manifests. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what was done, in one word. */
    public String action() {
        return action;
    }
}
