package dev.orloj.cli.admin;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Says why a file cannot be used. */
final class Reason {

    private Reason() {}

    static String of(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> "\"" + missing.getFile() + "\" does not exist";
            case AccessDeniedException denied -> "permission denied";
            case FileAlreadyExistsException there -> "it is there already";
            case FileSystemException system when system.getReason() != null -> system.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }
}
