package dev.orloj.server.admission;

import java.util.Arrays;
import java.util.Optional;

/** Defines how unknown and duplicate fields are treated. */
public enum FieldValidation {
    /** Rejects the write. */
    STRICT("Strict"),
    /** Drops the field and warns the client. */
    WARN("Warn"),
    /** Drops the field. */
    IGNORE("Ignore");

    private final String wireName;

    FieldValidation(String wireName) {
        this.wireName = wireName;
    }

    public static Optional<FieldValidation> ofWireName(String wireName) {
        return Arrays.stream(values()).filter(v -> v.wireName.equals(wireName)).findFirst();
    }
}
