package dev.orloj.api.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How a deletion handles the dependents of the resource. Modes that require work before the
 * resource is removed are stored in its finalizers.
 */
public enum Propagation {
    /** The dependents are collected after the resource is gone. */
    BACKGROUND("Background"),

    /** The resource is removed after the dependents that block its deletion. */
    FOREGROUND("Foreground"),

    /** The dependents stay and lose their reference to the owner. */
    ORPHAN("Orphan");

    /** Keeps an owner until the dependents that block its deletion are gone. */
    public static final String FOREGROUND_FINALIZER = "foregroundDeletion";

    /** Keeps an owner until no dependent refers to it. */
    public static final String ORPHAN_FINALIZER = "orphan";

    private final String wireName;

    Propagation(String wireName) {
        this.wireName = wireName;
    }

    /** Returns the name in requests. */
    public String wireName() {
        return wireName;
    }

    /** Finds a mode by its name in requests. */
    public static Optional<Propagation> of(String wireName) {
        return Arrays.stream(values()).filter(p -> p.wireName.equals(wireName)).findFirst();
    }

    /**
     * Returns the finalizers of a resource that had these finalizers and is deleted in this mode.
     */
    public List<String> notedIn(List<String> finalizers) {
        List<String> noted = new ArrayList<>(finalizers);
        noted.remove(FOREGROUND_FINALIZER);
        noted.remove(ORPHAN_FINALIZER);
        switch (this) {
            case BACKGROUND -> {}
            case FOREGROUND -> noted.add(FOREGROUND_FINALIZER);
            case ORPHAN -> noted.add(ORPHAN_FINALIZER);
        }
        // The same finalizers in another order are not a change.
        return noted.size() == finalizers.size() && noted.containsAll(finalizers)
                ? finalizers
                : noted;
    }
}
