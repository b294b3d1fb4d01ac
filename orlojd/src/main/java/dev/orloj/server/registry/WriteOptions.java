package dev.orloj.server.registry;

import dev.orloj.server.admission.FieldValidation;

/**
 * How a write is done.
 *
 * @param dryRun whether to do everything but store the outcome
 * @param fieldManager who owns the fields that the write changes
 */
public record WriteOptions(FieldValidation fieldValidation, boolean dryRun, String fieldManager) {

    /** For writers whose documents are made from types, which know no unknown fields. */
    public static final WriteOptions PLAIN =
            new WriteOptions(FieldValidation.IGNORE, false, "orlojd");
}
