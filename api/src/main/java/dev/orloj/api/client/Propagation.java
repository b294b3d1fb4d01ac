package dev.orloj.api.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of the dependents of a resource that is deleted. The order that needs work before
 * the resource may go is noted down in its finalizers.
 */
public enum Propagation {
    /** They are collected after it has gone. */
    BACKGROUND("Background"),

    /** It goes after those that block its deletion. */
    FOREGROUND("Foreground"),

    /** They stay, and forget that it owned them. */
    ORPHAN("Orphan");

    /** Holds an owner until the dependents that block its deletion are gone. */
    public static final String FOREGROUND_FINALIZER = "foregroundDeletion";

    /** Holds an owner until no dependent refers to it. */
    public static final String ORPHAN_FINALIZER = "orphan";

    private final String wireName;

    Propagation(String wireName) {
        this.wireName = wireName;
    }

    /** As it is spelled in a request. */
    public String wireName() {
        return wireName;
    }

    /** By the name that a request spells. */
    public static Optional<Propagation> of(String wireName) {
        return Arrays.stream(values()).filter(p -> p.wireName.equals(wireName)).findFirst();
    }

    /** The finalizers of a resource that had these and is deleted in this way. */
    public List<String> notedIn(List<String> finalizers) {
        List<String> noted = new ArrayList<>(finalizers);
        noted.remove(FOREGROUND_FINALIZER);
        noted.remove(ORPHAN_FINALIZER);
        switch (this) {
            case BACKGROUND -> {}
            case FOREGROUND -> noted.add(FOREGROUND_FINALIZER);
            case ORPHAN -> noted.add(ORPHAN_FINALIZER);
        }
        // The same ones in another order are no change.
        return noted.size() == finalizers.size() && noted.containsAll(finalizers)
                ? finalizers
                : noted;
    }
}
