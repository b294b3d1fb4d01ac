package dev.orloj.server.registry;

import java.util.Locale;

/** A server-side apply that was done, and what it changed. */
public record Applied(Written written, Effect effect) {

    /** What an apply does to a resource. */
    public enum Effect {
        /** There was none before. */
        CREATED,
        CONFIGURED,
        /** Everything was as it is wanted; at most, the fields have another owner now. */
        UNCHANGED;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public boolean created() {
        return effect == Effect.CREATED;
    }
}
