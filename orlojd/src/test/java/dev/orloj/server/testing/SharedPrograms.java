package dev.orloj.server.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The programs of PostgreSQL that one start of orlojd unpacked, for the data directories of all
 * later ones: as hard links, because unpacking takes longer than all else that such a start does. A
 * data directory that has a folder for PostgreSQL already gets none.
 */
final class SharedPrograms {

    private static final Path KEPT = Path.of("target", "postgres-programs").toAbsolutePath();
    private static final String FOLDER = "postgres";
    private static final int SECONDS = 60;

    private SharedPrograms() {}

    /** Without effect until there are such programs, or on another file system. */
    static synchronized void linkInto(Path dataDir) throws IOException, InterruptedException {
        Path folder = dataDir.resolve(FOLDER);
        if (!Files.isDirectory(KEPT) || Files.exists(folder)) {
            return;
        }
        Files.createDirectories(folder);
        for (Path programs : in(KEPT)) {
            link(programs, folder);
        }
    }

    /** Keeps the programs of a data directory if there are none yet. */
    static synchronized void keep(Path dataDir) throws IOException, InterruptedException {
        Path folder = dataDir.resolve(FOLDER);
        if (Files.isDirectory(KEPT) || !Files.isDirectory(folder)) {
            return;
        }
        Path partial = KEPT.resolveSibling(KEPT.getFileName() + ".partial");
        Files.createDirectories(partial);
        for (Path programs : in(folder)) {
            if (!link(programs, partial)) {
                return;
            }
        }
        Files.move(partial, KEPT);
    }

    private static List<Path> in(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(path -> path.getFileName().toString().startsWith("postgresql-"))
                    .toList();
        }
    }

    /** Returns whether it could; what it began is removed if not. */
    private static boolean link(Path from, Path into) throws IOException, InterruptedException {
        if (run("cp", "-al", from.toString(), into.toString())) {
            return true;
        }
        run("rm", "-rf", into.resolve(from.getFileName()).toString());
        return false;
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return false;
        }
        return process.exitValue() == 0;
    }
}
