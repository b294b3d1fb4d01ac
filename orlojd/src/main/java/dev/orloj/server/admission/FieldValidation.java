package dev.orloj.server.admission;

import java.util.Arrays;
import java.util.Optional;

/** What becomes of fields that a kind does not know, and of fields that are given twice. */
public enum FieldValidation {
    /** The write is refused. */
    STRICT("Strict"),
    /** The field is dropped and the client is told. */
    WARN("Warn"),
    /** The field is dropped. */
    IGNORE("Ignore");

    private final String wireName;

    FieldValidation(String wireName) {
        this.wireName = wireName;
    }

    public static Optional<FieldValidation> ofWireName(String wireName) {
        return Arrays.stream(values()).filter(v -> v.wireName.equals(wireName)).findFirst();
    }
}
