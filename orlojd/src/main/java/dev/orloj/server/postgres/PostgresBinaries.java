package dev.orloj.server.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Unpacks the programs of PostgreSQL from the class path, once per version.
 *
 * @param folder holds {@code bin}, {@code lib} and {@code share}
 */
record PostgresBinaries(Path folder) {

    /** The version of the archives on the class path. */
    static final String VERSION = "18.6";

    /** The unpacked programs take 60 MiB. */
    private static final int MEBIBYTES = 64;

    private static final Map<String, String> ARCHIVES =
            Map.of(
                    "amd64", "/postgres-linux-x86_64.txz",
                    "aarch64", "/postgres-linux-arm_64.txz");

    /** Unpacks below {@code directory}, unless an earlier start has done so. */
    static PostgresBinaries unpack(
            Path directory, String osName, String osArch, Consumer<String> progress)
            throws IOException, InterruptedException {
        Path folder = directory.resolve("postgresql-%s-%s".formatted(VERSION, osArch));
        if (Files.isDirectory(folder)) {
            return new PostgresBinaries(folder);
        }
        String archive = osName.equals("Linux") ? ARCHIVES.getOrDefault(osArch, "") : "";
        if (archive.isEmpty() || PostgresBinaries.class.getResource(archive) == null) {
            throw new EmbeddedPostgresException(
                    "No PostgreSQL for %s on %s is part of this orlojd: give it one with --database-url"
                            .formatted(osName, osArch));
        }
        // Renamed when complete, so that a start that was killed never leaves a partial folder in
        // use.
        Path partial = directory.resolve("unpacking");
        deleteTree(partial);
        FreeSpace.require(directory, MEBIBYTES, "Unpacking PostgreSQL");
        progress.accept(
                "unpacking PostgreSQL %s into \"%s\" (first start only)"
                        .formatted(VERSION, folder));
        Files.createDirectory(partial);
        PosixAccess.openToAll(partial);
        extract(archive, partial);
        Files.move(partial, folder, StandardCopyOption.ATOMIC_MOVE);
        return new PostgresBinaries(folder);
    }

    Path program(String name) {
        return folder.resolve("bin").resolve(name);
    }

    private static void extract(String archive, Path target)
            throws IOException, InterruptedException {
        Process tar;
        try {
            tar =
                    new ProcessBuilder(
                                    "tar", "-xJf", "-", "--no-same-owner", "-C", target.toString())
                            .redirectErrorStream(true)
                            .start();
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "Unpacking PostgreSQL needs the program tar: install it, or give"
                            + " --database-url",
                    e);
        }
        String complaint = "";
        try (InputStream packed = PostgresBinaries.class.getResourceAsStream(archive);
                OutputStream input = tar.getOutputStream()) {
            if (packed != null) {
                packed.transferTo(input);
            }
        } catch (IOException e) {
            // tar has closed its input; its exit code and output give the reason.
            complaint = String.valueOf(e.getMessage());
        }
        String output =
                new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (tar.waitFor() != 0 || !complaint.isEmpty()) {
            boolean lacksXz =
                    output.contains("xz: Cannot exec") || output.contains("xz: not found");
            throw new EmbeddedPostgresException(
                    "Unpacking PostgreSQL into \"%s\" failed: %s%s"
                            .formatted(
                                    target,
                                    lacksXz
                                            ? "tar needs the program xz: install package xz-utils; "
                                            : "",
                                    (output + " " + complaint).strip()));
        }
    }

    static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
