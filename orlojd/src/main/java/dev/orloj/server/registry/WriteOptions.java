package dev.orloj.server.registry;

import dev.orloj.server.admission.FieldValidation;

/**
 * How a write is done.
 *
 * @param dryRun whether to do everything but store the outcome
 */
public record WriteOptions(FieldValidation fieldValidation, boolean dryRun) {

    /** For writers whose documents are made from types, which know no unknown fields. */
    public static final WriteOptions PLAIN = new WriteOptions(FieldValidation.IGNORE, false);
}
