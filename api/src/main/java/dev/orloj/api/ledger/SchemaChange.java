package dev.orloj.api.ledger;

/**
 * One difference between two schemas.
 *
 * @param pointer JSON Pointer to the keyword or property
 */
public record SchemaChange(Level level, String pointer, String message) {

    /** What a difference means to callers. */
    public enum Level {
        /** Every call that was right is right. */
        COMPATIBLE,
        /** A call that was right may have arguments that are no longer expected. */
        NARROWING,
        /** A call that was right may fail, or a result may be one that no caller expects. */
        BREAKING
    }
}
