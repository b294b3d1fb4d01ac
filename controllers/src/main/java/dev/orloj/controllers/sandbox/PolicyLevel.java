package dev.orloj.controllers.sandbox;

import java.util.Locale;

/**
 * How much of its isolation a manifest may give up. The names, and the order from strict to lax,
 * are those of the Kubernetes Pod Security Standards.
 */
public enum PolicyLevel {
    /** No programs on the host. The network is off or limited to listed hosts. */
    RESTRICTED,
    /** No known ways out of a container: no root, no network shared with others. */
    BASELINE,
    /** Everything that a manifest can set. */
    PRIVILEGED;

    boolean allows(PolicyLevel needed) {
        return compareTo(needed) >= 0;
    }

    /** Returns the name as written on a command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
