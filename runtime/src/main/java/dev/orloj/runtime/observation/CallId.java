package dev.orloj.runtime.observation;

/**
 * Identifies one call, and the replica that made it, among the calls of all replicas.
 *
 * @param text {@code REPLICA.NUMBER}, with the characters of resource names; empty for calls that
 *     are never looked up
 */
public record CallId(String text) {

    public static final CallId NONE = new CallId("");

    static CallId of(String replica, long number) {
        return new CallId(replica + "." + Long.toString(number, Character.MAX_RADIX));
    }

    /** Returns the replica that made the call; empty when the text is not a valid id. */
    public String replica() {
        return text.substring(0, Math.max(0, text.lastIndexOf('.')));
    }

    @Override
    public String toString() {
        return text;
    }
}
