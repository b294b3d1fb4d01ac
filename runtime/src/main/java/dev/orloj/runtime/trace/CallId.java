package dev.orloj.runtime.trace;

/**
 * Names one call, and the replica that made it, among all calls of all replicas.
 *
 * @param text {@code REPLICA.NUMBER}, of the characters that names of resources may have; empty for
 *     calls that nobody will ask about
 */
public record CallId(String text) {

    public static final CallId NONE = new CallId("");

    static CallId of(String replica, long number) {
        return new CallId(replica + "." + Long.toString(number, Character.MAX_RADIX));
    }

    /** The replica that made the call; empty when the text is no such id. */
    public String replica() {
        return text.substring(0, Math.max(0, text.lastIndexOf('.')));
    }

    @Override
    public String toString() {
        return text;
    }
}
