package dev.orloj.api.backup;

/**
 * Counts the rows that a backup unpacks to and enforces the limits. A row of PostgreSQL's {@code
 * COPY} ends with a line feed and contains none. Not safe for use by many threads.
 */
final class RowCounter {

    private static final String REMEDY =
            "; if you trust the file and its database has room for it, raise the limit with %s";

    private final BackupLimits limits;
    private long bytes;
    private long rows;
    private long longestRow;

    /** Rows of the present table that have ended. */
    private long tableRows;

    /** Bytes of the present row until now. */
    private long rowBytes;

    RowCounter(BackupLimits limits) {
        this.limits = limits;
    }

    void beginTable() {
        tableRows = 0;
        rowBytes = 0;
    }

    /**
     * Counts a part of a table.
     *
     * @throws BackupException when a limit is exceeded
     */
    void count(String table, byte[] part, int start, int length) throws BackupException {
        bytes += length;
        if (bytes > limits.maxBytes()) {
            throw exceeded(
                    "the backup unpacks to more than %d bytes (limit reached in \"%s\")"
                            .formatted(limits.maxBytes(), table),
                    "--max-size (maxBytes)");
        }
        for (int i = start; i < start + length; i++) {
            rowBytes++;
            if (part[i] == '\n') {
                endRow(table);
            }
        }
        requireRow(table);
    }

    private void endRow(String table) throws BackupException {
        requireRow(table);
        rows++;
        tableRows++;
        rowBytes = 0;
        if (rows > limits.maxRows()) {
            throw exceeded(
                    "the backup has more than %d rows (limit reached in \"%s\")"
                            .formatted(limits.maxRows(), table),
                    "--max-rows (maxRows)");
        }
    }

    private void requireRow(String table) throws BackupException {
        longestRow = Math.max(longestRow, rowBytes);
        if (rowBytes > limits.maxRowBytes()) {
            throw exceeded(
                    "row %d of \"%s\" has more than %d bytes"
                            .formatted(tableRows + 1, table, limits.maxRowBytes()),
                    "--max-row-size (maxRowBytes)");
        }
    }

    private static BackupException exceeded(String what, String option) {
        return new BackupException(what + REMEDY.formatted(option));
    }

    BackupSize size() {
        return new BackupSize(bytes, rows, longestRow);
    }
}
