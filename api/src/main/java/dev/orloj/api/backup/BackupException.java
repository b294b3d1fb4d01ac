package dev.orloj.api.backup;

import java.io.IOException;

/** A file is no backup, or it is damaged or incomplete. The message says which and where. */
public final class BackupException extends IOException {

    private static final long serialVersionUID = 1L;

    public BackupException(String message) {
        super(message);
    }

    public BackupException(String message, Throwable cause) {
        super(message, cause);
    }
}
