package dev.orloj.cli.output;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Words for files that cannot be used. */
public final class FileErrors {

    private FileErrors() {}

    /**
     * Returns the reason why a file cannot be used, without its name.
     *
     * @param e an {@link IOException}, or what an invalid path throws
     */
    public static String reason(Exception e) {
        return switch (e) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "it is not there";
            case FileAlreadyExistsException _ -> "it is there already";
            case FileSystemException system when system.getReason() != null -> system.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }
}
