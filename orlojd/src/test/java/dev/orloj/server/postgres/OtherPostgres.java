package dev.orloj.server.postgres;

import static org.awaitility.Awaitility.await;

import dev.orloj.server.testing.ReservedPort;

import org.postgresql.ds.PGSimpleDataSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A PostgreSQL of another major version than the embedded one, with empty data. Its programs are in
 * an archive that the build has copied to {@code target/postgres}. The server ends when it is
 * closed, and when the thread ends that made it.
 */
public final class OtherPostgres implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Path ARCHIVES = Path.of("target", "postgres");

    /** Only what each of these versions has. */
    private static final List<String> SETTINGS =
            List.of("listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off");

    private final Path directory;
    private final String password = UUID.randomUUID().toString();
    private final ReservedPort port = new ReservedPort();
    private final Process process;

    /** Starts it and returns when it accepts connections. */
    public OtherPostgres(int major) throws IOException, InterruptedException {
        this.directory = ARCHIVES.resolve("server-" + major).toAbsolutePath();
        PostgresBinaries.deleteTree(directory);
        PosixAccess.openToAll(Files.createDirectories(directory));
        Path programs = unpack(archive(major), directory);
        ServerAccount account = ServerAccount.forDirectory(directory);
        Path data = Files.createDirectory(directory.resolve("data"));
        PosixAccess.closeToOthers(data);
        Path passwordFile = Files.writeString(directory.resolve("password"), password);
        account.creator().own(data);
        account.creator().own(passwordFile);
        initialize(programs, data, passwordFile, account.creator());
        account.own(data);
        this.process = serve(programs, data, account);
        await().atMost(TIMEOUT)
                .until(
                        () -> {
                            if (!process.isAlive()) {
                                throw new IllegalStateException(
                                        "PostgreSQL has ended: " + Files.readString(log()));
                            }
                            return PostmasterFile.read(data)
                                    .filter(file -> file.status().equals("ready"))
                                    .isPresent();
                        });
    }

    private static Path archive(int major) throws IOException {
        Path folder = ARCHIVES.resolve(Integer.toString(major));
        if (!Files.isDirectory(folder)) {
            throw new IllegalStateException(
                    "\"%s\" is missing: ./mvnw -pl orlojd generate-test-resources copies it"
                            .formatted(folder.toAbsolutePath()));
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".txz")).findFirst().orElseThrow();
        }
    }

    private static Path unpack(Path archive, Path directory)
            throws IOException, InterruptedException {
        Path programs = Files.createDirectory(directory.resolve("programs"));
        PosixAccess.openToAll(programs);
        run(
                new ProcessBuilder(
                        "tar",
                        "-xJf",
                        archive.toString(),
                        "--no-same-owner",
                        "-C",
                        programs.toString()));
        return programs;
    }

    /** With the collation of a distribution's packages, which is not that of the embedded one. */
    private static void initialize(
            Path programs, Path data, Path passwordFile, ServerAccount account)
            throws IOException, InterruptedException {
        run(
                new ProcessBuilder(
                        account.command(
                                List.of(
                                        programs.resolve("bin/initdb").toString(),
                                        "--pgdata=" + data,
                                        "--username=" + DatabaseCluster.USER,
                                        "--pwfile=" + passwordFile,
                                        "--auth=scram-sha-256",
                                        "--encoding=UTF8",
                                        "--locale=C.UTF-8",
                                        "--no-sync"))));
    }

    private static void run(ProcessBuilder builder) throws IOException, InterruptedException {
        ServerEnvironment.apply(builder);
        Process program = builder.redirectErrorStream(true).start();
        program.getOutputStream().close();
        String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (program.waitFor() != 0) {
            throw new IllegalStateException(builder.command() + " failed: " + output);
        }
    }

    private Process serve(Path programs, Path data, ServerAccount account) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                programs.resolve("bin/postgres").toString(),
                                "-D",
                                data.toString(),
                                "-p",
                                Integer.toString(port.number())));
        SETTINGS.forEach(setting -> command.addAll(List.of("-c", setting)));
        ProcessBuilder builder =
                new ProcessBuilder(account.commandDyingWithUs(command))
                        .redirectErrorStream(true)
                        .redirectOutput(log().toFile());
        ServerEnvironment.apply(builder);
        return builder.start();
    }

    private Path log() {
        return directory.resolve("postgres.log");
    }

    /** A database with the schema in place and nothing in it. */
    public TestPostgres.Database freshDatabase() {
        return TestPostgres.migrated(TestPostgres.create(this::dataSource));
    }

    private PGSimpleDataSource dataSource(String database) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl("jdbc:postgresql://127.0.0.1:%d/%s".formatted(port.number(), database));
        dataSource.setUser(DatabaseCluster.USER);
        dataSource.setPassword(password);
        return dataSource;
    }

    @Override
    public void close() {
        try {
            // SIGINT: the server disconnects its clients and exits.
            run(new ProcessBuilder("sh", "-c", "kill -INT " + process.pid()));
            if (!process.waitFor(TIMEOUT)) {
                process.destroyForcibly();
            }
            port.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
