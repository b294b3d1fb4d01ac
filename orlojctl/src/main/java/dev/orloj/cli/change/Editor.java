package dev.orloj.cli.change;

import dev.orloj.cli.command.CommandException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The editor of the user, who edits a text in a file of its own. */
final class Editor {

    private static final List<String> VARIABLES = List.of("KUBE_EDITOR", "VISUAL", "EDITOR");

    private final String program;
    private final boolean isWindows =
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");

    Editor(Map<String, String> environment) {
        Optional<String> named =
                VARIABLES.stream()
                        .map(name -> environment.getOrDefault(name, ""))
                        .filter(value -> !value.isBlank())
                        .findFirst();
        program = named.orElse(isWindows ? "notepad" : "vi");
    }

    /**
     * Opens the file and waits until the editor ends.
     *
     * @throws CommandException when the editor does not start or fails
     */
    void edit(Path file) {
        // A shell, since the variable may have options and quotes in it.
        List<String> command =
                isWindows
                        ? List.of("cmd", "/c", program + " \"" + file + "\"")
                        : List.of("sh", "-c", program + " \"$1\"", "sh", file.toString());
        try {
            int exitCode = await(new ProcessBuilder(command).inheritIO().start());
            if (exitCode != 0) {
                throw new CommandException(
                        "the editor \"%s\" failed with exit code %d; name another one with KUBE_EDITOR or EDITOR"
                                .formatted(program, exitCode));
            }
        } catch (IOException e) {
            throw new CommandException(
                    "the editor \"%s\" does not start: %s; name another one with KUBE_EDITOR or EDITOR"
                            .formatted(program, e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("interrupted");
        }
    }

    /** Ends the editor when this thread is interrupted: it would keep the terminal. */
    private static int await(Process editor) throws InterruptedException {
        try {
            return editor.waitFor();
        } catch (InterruptedException e) {
            editor.descendants().forEach(ProcessHandle::destroy);
            editor.destroy();
            throw e;
        }
    }

    /** Creates a file that only this user can read. */
    static Path newFile(String name) {
        try {
            // Readable for its owner only, where the file system has owners.
            return Files.createTempFile(
                    "orlojctl-edit-" + name.replaceAll("[^\\w.-]", "_"), ".yaml");
        } catch (IOException e) {
            throw new CommandException("cannot create a file to edit: " + e.getMessage());
        }
    }
}
