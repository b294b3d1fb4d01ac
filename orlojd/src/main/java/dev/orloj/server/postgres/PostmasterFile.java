package dev.orloj.server.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Holds what a running PostgreSQL records in {@code postmaster.pid} of its data directory.
 *
 * @param status {@code starting}, {@code ready}, {@code stopping}; empty while it is being written
 */
record PostmasterFile(long pid, String status) {

    private static final int STATUS_LINE = 7;

    /** Reads the file; empty when it does not exist or is not readable yet. */
    static Optional<PostmasterFile> read(Path data) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(path(data));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        if (lines.isEmpty() || !lines.getFirst().strip().matches("\\d{1,18}")) {
            return Optional.empty();
        }
        String status = lines.size() > STATUS_LINE ? lines.get(STATUS_LINE).strip() : "";
        return Optional.of(new PostmasterFile(Long.parseLong(lines.getFirst().strip()), status));
    }

    static Path path(Path data) {
        return data.resolve("postmaster.pid");
    }

    /** Returns whether the process with that pid is still a PostgreSQL that serves the data. */
    boolean serves(Path data) {
        try {
            String commandLine =
                    Files.readString(
                            Path.of("/proc", Long.toString(pid), "cmdline"),
                            StandardCharsets.ISO_8859_1);
            return commandLine.contains("postgres") && commandLine.contains(data.toString());
        } catch (IOException e) {
            return false;
        }
    }
}
