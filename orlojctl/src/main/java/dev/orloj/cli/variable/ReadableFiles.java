package dev.orloj.cli.variable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The files that a file may refer to, whose contents then become part of what is applied.
 * Immutable.
 *
 * @param isAny whether they are all, as for a file that a program of this user reads likewise
 * @param folder otherwise those below this folder; empty for none
 */
public record ReadableFiles(boolean isAny, Optional<Path> folder) {

    /** All files. */
    public static final ReadableFiles ANY = new ReadableFiles(true, Optional.empty());

    /** No file, for what has no place on this machine. */
    public static final ReadableFiles NONE = new ReadableFiles(false, Optional.empty());

    public static ReadableFiles below(Path folder) {
        return new ReadableFiles(false, Optional.of(folder));
    }

    /** Returns whether a file may be read. A link counts as what it leads to. */
    public boolean allows(Path file) {
        if (isAny) {
            return true;
        }
        try {
            return folder.isPresent() && file.toRealPath().startsWith(folder.get().toRealPath());
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the remedy for a file that may not be read. */
    public String remedy() {
        return folder.map(f -> "it has to be below \"" + f + "\"")
                .orElse("a file from elsewhere can refer to no file of yours");
    }
}
