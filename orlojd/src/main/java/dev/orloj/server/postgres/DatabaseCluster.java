package dev.orloj.server.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;

/**
 * Locates the data of a PostgreSQL server and holds the password of its only user.
 *
 * @param data the PostgreSQL data directory
 */
record DatabaseCluster(Path data, String password) {

    private static final String PARTIAL = "data.creating";

    static final String USER = "orloj";

    /** initdb writes 40 MiB, and the log of the first transactions takes some more. */
    private static final int MEBIBYTES = 80;

    private static final int PASSWORD_BYTES = 32;

    /** Opens or creates the cluster below {@code directory}. The account need not own it yet. */
    static DatabaseCluster open(
            Path directory,
            PostgresBinaries binaries,
            ServerAccount account,
            Consumer<String> progress)
            throws IOException, InterruptedException {
        Path data = directory.resolve("data");
        Path passwordFile = directory.resolve("password");
        if (!Files.exists(data)) {
            PostgresBinaries.deleteTree(directory.resolve(PARTIAL));
            FreeSpace.require(directory, MEBIBYTES, "A new database");
            progress.accept("creating the database in \"%s\" (first start only)".formatted(data));
            create(directory, data, password(passwordFile), binaries, account.creator());
        }
        if (!Files.exists(passwordFile)) {
            throw new EmbeddedPostgresException(
                    "\"%s\" is missing, without it the data in \"%s\" cannot be opened: restore it"
                            .formatted(passwordFile, data));
        }
        checkVersion(directory);
        return new DatabaseCluster(data, password(passwordFile));
    }

    private static String password(Path file) throws IOException {
        if (!Files.exists(file)) {
            byte[] random = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(random);
            writePrivately(file, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
        }
        return Files.readString(file).strip();
    }

    private static void create(
            Path directory,
            Path data,
            String password,
            PostgresBinaries binaries,
            ServerAccount account)
            throws IOException, InterruptedException {
        // Renamed when complete, so that a start that was killed never leaves a partial database.
        Path partial = directory.resolve(PARTIAL);
        Path passwordCopy = directory.resolve("password.creating");
        Files.deleteIfExists(passwordCopy);
        Files.createDirectory(partial);
        PosixAccess.closeToOthers(partial);
        writePrivately(passwordCopy, password);
        try {
            account.own(partial);
            account.own(passwordCopy);
            initdb(partial, passwordCopy, binaries, account);
        } finally {
            Files.deleteIfExists(passwordCopy);
        }
        Files.move(partial, data, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void initdb(
            Path data, Path passwordFile, PostgresBinaries binaries, ServerAccount account)
            throws IOException, InterruptedException {
        List<String> program =
                List.of(
                        binaries.program("initdb").toString(),
                        "--pgdata=" + data,
                        "--username=" + USER,
                        "--pwfile=" + passwordFile,
                        "--auth=scram-sha-256",
                        "--encoding=UTF8",
                        "--locale-provider=builtin",
                        "--builtin-locale=C.UTF-8",
                        "--locale=C",
                        "--sync-method=syncfs",
                        "--no-instructions");
        ProcessBuilder builder =
                new ProcessBuilder(account.command(program)).redirectErrorStream(true);
        ServerEnvironment.apply(builder);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new EmbeddedPostgresException(
                    "PostgreSQL could not create its data directory \"%s\":%n%s"
                            .formatted(data, output.strip()));
        }
    }

    /** The archive of PostgreSQL that orlojd brings has no pg_upgrade. */
    private static void checkVersion(Path directory) throws IOException {
        String made = Files.readString(directory.resolve("data").resolve("PG_VERSION")).strip();
        String ours = PostgresBinaries.VERSION.substring(0, PostgresBinaries.VERSION.indexOf('.'));
        if (!made.equals(ours)) {
            throw new EmbeddedPostgresException(
                    "\"%s\" was written by PostgreSQL %s, and this orlojd has PostgreSQL %s: start the orlojd that wrote it and run \"orlojctl admin backup FILE\"; stop it, move \"%s\" away, start this orlojd and run \"orlojctl admin restore FILE\" (docs/backup.md); or give --database-url"
                            .formatted(directory.resolve("data"), made, ours, directory));
        }
    }

    private static void writePrivately(Path file, String text) throws IOException {
        Files.createFile(file, PosixAccess.OWNER_ONLY_FILE);
        Files.writeString(file, text + "\n", StandardOpenOption.TRUNCATE_EXISTING);
    }

    @Override
    public String toString() {
        return "DatabaseCluster[" + data + "]";
    }
}
