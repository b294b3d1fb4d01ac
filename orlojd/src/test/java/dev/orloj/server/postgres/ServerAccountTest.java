package dev.orloj.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** H-26: whom the PostgreSQL of root runs as. */
class ServerAccountTest {

    /** Below target, where other users may pass. */
    private static final Path TARGET = Path.of("target").toAbsolutePath();

    private final List<Path> directories = new ArrayList<>();

    @BeforeEach
    void isAboutRoot() throws IOException {
        assumeThat(PosixAccess.currentUid()).as("user id: this is about root").isZero();
    }

    @AfterEach
    void removeDirectories() throws IOException {
        for (Path directory : directories) {
            PostgresBinaries.deleteTree(directory);
        }
    }

    private Path directory() throws Exception {
        Path shared = Files.createDirectories(TARGET.resolve("postgres-binaries"));
        Path folder =
                PostgresBinaries.unpack(
                                shared,
                                System.getProperty("os.name"),
                                System.getProperty("os.arch"),
                                step -> {})
                        .folder();
        Path directory = Files.createTempDirectory(TARGET, "server-account-");
        directories.add(directory);
        PosixAccess.openToAll(directory);
        Files.createSymbolicLink(directory.resolve(folder.getFileName()), folder);
        return directory;
    }

    private static EmbeddedPostgres started(Path directory) throws InterruptedException {
        EmbeddedPostgres postgres = new EmbeddedPostgres(directory);
        postgres.start();
        return postgres;
    }

    private static void execute(EmbeddedPostgres postgres, String sql) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(
                                postgres.jdbcUrl(), postgres.user(), postgres.password());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The server and those that it has started, of which some end at any time. */
    private static List<String> ids(EmbeddedPostgres postgres, String which) throws IOException {
        List<String> found = new ArrayList<>();
        ProcessHandle server = ProcessHandle.of(postgres.pid()).orElseThrow();
        for (ProcessHandle each : Stream.concat(Stream.of(server), server.descendants()).toList()) {
            try {
                found.addAll(ids(each.pid(), which));
            } catch (IOException e) {
                if (each.isAlive()) {
                    throw e;
                }
            }
        }
        return found;
    }

    private static List<String> ids(long pid, String which) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(pid), "status"))
                .lines()
                .filter(line -> line.startsWith(which))
                .toList();
    }

    private static int owner(Path path, String attribute) throws IOException {
        return (Integer) Files.getAttribute(path, attribute, LinkOption.NOFOLLOW_LINKS);
    }

    @Test
    void itIsAUserThatNoAccountAndNoOtherDirectoryHas() throws Exception {
        Path one = directory();
        Path other = directory();
        try (EmbeddedPostgres first = started(one);
                EmbeddedPostgres second = started(other)) {
            int uid = PosixAccess.uid(Path.of("/proc", Long.toString(first.pid())));
            String id = "\t" + uid;

            assertThat(ids(first, "Uid:"))
                    .hasSizeGreaterThan(1)
                    .containsOnly("Uid:" + id.repeat(4));
            assertThat(ids(first, "Gid:")).containsOnly("Gid:" + id.repeat(4));
            assertThat(ids(first, "Groups:")).allMatch(line -> line.matches("Groups:\\s*"));
            assertThat(Files.readString(Path.of("/etc/passwd"))).doesNotContain(":" + uid + ":");
            assertThat(PosixAccess.uid(Path.of("/proc", Long.toString(second.pid()))))
                    .isNotEqualTo(uid);
            assertThat(owner(one.resolve("data"), "unix:uid")).isEqualTo(uid);
            assertThat(owner(one, "unix:gid")).isEqualTo(uid);
            assertThat(owner(one, "unix:uid")).isZero();
            assertThat(permissions(one)).isEqualTo("rwx--x---");
            assertThat(permissions(one.resolve("postgres.log"))).isEqualTo("rw-------");
            assertThat(permissions(one.resolve("uid"))).isEqualTo("rw-------");
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void dataOfTheUnprivilegedUserAreTakenOver() throws Exception {
        Path directory = directory();
        int before;
        try (EmbeddedPostgres postgres = started(directory)) {
            execute(postgres, "CREATE TABLE kept AS SELECT 42 AS answer");
            before = PosixAccess.uid(directory.resolve("data"));
        }
        Path data = directory.resolve("data");
        Path outside = Files.createFile(directory.resolve("outside"));
        Files.createSymbolicLink(data.resolve("link"), outside);
        makeAnEarlierOrlojds(directory);
        Path roots = Files.createFile(data.resolve("roots"));

        try (EmbeddedPostgres postgres = started(directory)) {
            execute(postgres, "INSERT INTO kept SELECT answer FROM kept");
            int uid = PosixAccess.uid(Path.of("/proc", Long.toString(postgres.pid())));

            assertThat(uid).isNotIn(0, 65534, before);
            assertThat(owner(data.resolve("PG_VERSION"), "unix:uid")).isEqualTo(uid);
            assertThat(owner(data.resolve("PG_VERSION"), "unix:gid")).isEqualTo(uid);
            assertThat(owner(roots, "unix:uid")).isZero();
            assertThat(owner(outside, "unix:uid")).isZero();
            assertThat(permissions(directory)).isEqualTo("rwx--x---");
        }
    }

    private static void makeAnEarlierOrlojds(Path directory) throws IOException {
        Files.delete(directory.resolve("uid"));
        PosixAccess.giveTo(65534, 65534, directory.resolve("data"));
        Files.setAttribute(directory, "unix:gid", 0);
        PosixAccess.openToAll(directory);
    }
}
