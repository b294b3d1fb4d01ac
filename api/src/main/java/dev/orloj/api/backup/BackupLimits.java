package dev.orloj.api.backup;

/**
 * How much a backup may unpack to, because a small file can contain terabytes of equal bytes.
 * Immutable.
 *
 * @param maxBytes of all tables
 * @param maxRows of all tables
 * @param maxRowBytes of each row, which PostgreSQL reads into memory as a whole
 */
public record BackupLimits(long maxBytes, long maxRows, long maxRowBytes) {

    /** 64 GiB. */
    public static final long MAX_BYTES = 64L << 30;

    public static final long MAX_ROWS = 500_000_000;

    /** 64 MiB: more than a message of the default maximum size (16 MiB) becomes in a row. */
    public static final long MAX_ROW_BYTES = 64L << 20;

    public static final BackupLimits DEFAULTS =
            new BackupLimits(MAX_BYTES, MAX_ROWS, MAX_ROW_BYTES);

    /** For a backup that is only verified. */
    public static final BackupLimits NONE =
            new BackupLimits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    public BackupLimits {
        if (maxBytes < 1 || maxRows < 1 || maxRowBytes < 1) {
            throw new IllegalArgumentException("a limit must be at least 1");
        }
    }
}
