package dev.orloj.server.registry;

import java.util.Locale;

/** The result of a server-side apply and its effect. */
public record ApplyResult(Written written, Effect effect) {

    /** The effect of an apply on a resource. */
    public enum Effect {
        /** The resource did not exist before. */
        CREATED,
        CONFIGURED,
        /** The resource already had the applied values; at most, ownership of fields changed. */
        UNCHANGED;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public boolean created() {
        return effect == Effect.CREATED;
    }
}
