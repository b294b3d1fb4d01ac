package dev.orloj.runtime.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads files of {@code /proc}, which go with their process or thread. */
final class ProcFile {

    private ProcFile() {}

    /**
     * Returns the text of a file; empty if its process has ended, or the system has no such file.
     */
    static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        } catch (IOException e) {
            return ""; // as documented
        }
    }
}
