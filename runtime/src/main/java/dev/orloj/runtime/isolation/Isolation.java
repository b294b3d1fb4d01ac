package dev.orloj.runtime.isolation;

/**
 * How far clients of a server are kept apart.
 *
 * @param most how many sessions may be open for that at a time; with 1 nobody has one to itself
 *     unless the scope is said to be so
 */
public record Isolation(SessionScope scope, int most) {

    /** All in one session. */
    public static final Isolation NONE = new Isolation(SessionScope.SHARED, 1);

    public Isolation {
        if (most < 1) {
            throw new IllegalArgumentException("Sessions must be at least 1: " + most);
        }
    }

    /** Whether what nobody is known to be meant by must reach nobody. */
    public boolean isStrict() {
        return scope != SessionScope.SHARED;
    }
}
