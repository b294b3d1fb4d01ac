package dev.orloj.api.backup;

import java.util.ArrayList;
import java.util.List;

/**
 * What a backup unpacks to, without its header. Immutable.
 *
 * @param bytes of all tables
 * @param rows of all tables
 * @param longestRow in bytes
 */
public record BackupSize(long bytes, long rows, long longestRow) {

    /**
     * Returns the options of {@code orlojctl admin restore} that a backup of this size needs; empty
     * when it is within {@link BackupLimits#DEFAULTS}.
     */
    public String restoreOptions() {
        BackupLimits limits = BackupLimits.DEFAULTS;
        List<String> options = new ArrayList<>();
        if (bytes > limits.maxBytes()) {
            options.add("--max-size " + bytes);
        }
        if (rows > limits.maxRows()) {
            options.add("--max-rows " + rows);
        }
        if (longestRow > limits.maxRowBytes()) {
            options.add("--max-row-size " + longestRow);
        }
        return String.join(" ", options);
    }
}
