package dev.orloj.controllers.sandbox;

import java.util.Locale;

/**
 * How much of its sandbox a manifest may give up. The names, and the order from strict to lax, are
 * those of the Pod Security Standards of Kubernetes.
 */
public enum PolicyLevel {
    /** No programs on the host, and no network but one that is closed or lists its hosts. */
    RESTRICTED,
    /** Nothing by which a container is known to get out: no root, no network of others. */
    BASELINE,
    /** Whatever a manifest can say. */
    PRIVILEGED;

    boolean allows(PolicyLevel needed) {
        return compareTo(needed) >= 0;
    }

    /** As it is written on a command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
