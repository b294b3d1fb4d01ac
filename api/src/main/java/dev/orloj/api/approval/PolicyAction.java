package dev.orloj.api.approval;

import com.fasterxml.jackson.annotation.JsonProperty;

import java.util.Locale;

/** What happens with a definition. Each action is stricter than those before it. */
public enum PolicyAction {
    /** Serves it. */
    @JsonProperty("accept")
    ACCEPT,
    /** Serves it, with an event of type Warning. */
    @JsonProperty("warn")
    WARN,
    /** Serves it once a user approves it. */
    @JsonProperty("quarantine")
    QUARANTINE,
    /** Does not serve it. */
    @JsonProperty("reject")
    REJECT;

    /** Returns whether a definition with this action is served. */
    public boolean serves() {
        return this == ACCEPT || this == WARN;
    }

    /** Returns the name of the action in manifests. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    PolicyAction orStricter(PolicyAction other) {
        return compareTo(other) < 0 ? other : this;
    }
}
