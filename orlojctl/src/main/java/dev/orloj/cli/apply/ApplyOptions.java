package dev.orloj.cli.apply;

/**
 * Options of an apply.
 *
 * @param dryRun whether the server validates everything and stores nothing
 * @param fieldManager the owner of the applied fields
 * @param force whether to take over fields to which other managers assigned another value
 */
public record ApplyOptions(boolean dryRun, String fieldManager, boolean force) {

    /** The default field manager, which all older versions use too. */
    public static final String FIELD_MANAGER = "orlojctl";

    boolean isUsualManager() {
        return fieldManager.equals(FIELD_MANAGER);
    }

    ApplyOptions forced() {
        return new ApplyOptions(dryRun, fieldManager, true);
    }
}
