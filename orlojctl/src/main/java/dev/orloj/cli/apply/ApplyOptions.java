package dev.orloj.cli.apply;

/**
 * How to apply.
 *
 * @param dryRun whether the server is to check everything and to store nothing
 * @param fieldManager who owns the applied fields from then on
 * @param force whether to take fields from managers that gave them another value
 */
public record ApplyOptions(boolean dryRun, String fieldManager, boolean force) {

    /** The field manager, unless another one is named; every older version is this one too. */
    public static final String FIELD_MANAGER = "orlojctl";

    boolean isUsualManager() {
        return fieldManager.equals(FIELD_MANAGER);
    }

    ApplyOptions forced() {
        return new ApplyOptions(dryRun, fieldManager, true);
    }
}
