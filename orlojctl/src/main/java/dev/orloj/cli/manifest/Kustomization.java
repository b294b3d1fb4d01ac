package dev.orloj.cli.manifest;

import dev.orloj.cli.command.CommandException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Builds a kustomization with the program that is there: kustomize, or kubectl. */
final class Kustomization {

    /** Begins the name of a source that is a kustomization; no path on any system has it. */
    static final String PREFIX = "kustomization\0";

    private static final int MAX_BYTES = 64 * 1024 * 1024;
    private static final List<List<String>> PROGRAMS =
            List.of(List.of("kustomize", "build"), List.of("kubectl", "kustomize"));

    private Kustomization() {}

    static byte[] build(String folder) throws IOException {
        return build(folder, PROGRAMS);
    }

    /**
     * @param programs each with its arguments before the folder; the first that exists is run
     */
    static byte[] build(String folder, List<List<String>> programs) throws IOException {
        if (!Files.isDirectory(Path.of(folder))) {
            throw new CommandException("no folder \"" + folder + "\"; nothing was done");
        }
        for (List<String> program : programs) {
            List<String> command = new ArrayList<>(program);
            command.add(folder);
            Process process;
            try {
                process =
                        new ProcessBuilder(command)
                                .redirectError(ProcessBuilder.Redirect.INHERIT)
                                .start();
            } catch (IOException e) {
                continue; // it is not there
            }
            return output(process, folder, String.join(" ", program));
        }
        throw new CommandException(
                "-k needs kustomize or kubectl on the PATH; or: kustomize build \"%s\" | orlojctl ... -f -"
                        .formatted(folder));
    }

    private static byte[] output(Process process, String folder, String program)
            throws IOException {
        process.getOutputStream().close();
        byte[] built = process.getInputStream().readNBytes(MAX_BYTES + 1);
        if (built.length > MAX_BYTES) {
            process.destroy();
            throw new IOException("it is longer than %d bytes".formatted(MAX_BYTES));
        }
        try {
            int exitCode = process.waitFor();
            if (exitCode != 0) {
                throw new CommandException(
                        "\"%s %s\" failed with exit code %d; nothing was done"
                                .formatted(program, folder, exitCode));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return built;
    }
}
