package dev.orloj.server.registry;

import dev.orloj.server.admission.FieldValidation;

/**
 * How a write is done.
 *
 * @param dryRun whether to do everything but store the outcome
 * @param fieldManager who owns the fields that the write changes
 * @param subresource through which a part of the resource is written as if it were one by itself;
 *     empty otherwise
 */
public record WriteOptions(
        FieldValidation fieldValidation, boolean dryRun, String fieldManager, String subresource) {

    /** For writers whose documents are made from types, which know no unknown fields. */
    public static final WriteOptions PLAIN =
            new WriteOptions(FieldValidation.IGNORE, false, "orlojd");

    public WriteOptions(FieldValidation fieldValidation, boolean dryRun, String fieldManager) {
        this(fieldValidation, dryRun, fieldManager, "");
    }

    public WriteOptions through(String part) {
        return new WriteOptions(fieldValidation, dryRun, fieldManager, part);
    }
}
