package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.properties.InvalidConfigurationException;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;

@Timeout(300)
class FailedStartTest {

    @TempDir private Path directory;

    /** So that it unpacks the programs of PostgreSQL itself. */
    @BeforeEach
    void createAnEmptyFolderForPostgres() throws Exception {
        Files.createDirectory(directory.resolve("postgres"));
    }

    /** A line of the web server's own before it looked like another failure. */
    @Test
    void secondOrlojdOnADirectorySaysWhyInOneLine() throws Exception {
        try (OrlojdProcess first = OrlojdProcess.start(directory)) {
            Throwable failure = catchThrowable(() -> OrlojdProcess.start(directory));

            assertThat(failure.getMessage().strip().lines())
                    .singleElement()
                    .asString()
                    .startsWith("orlojd did not start: orlojd: Data directory")
                    .contains("in use by orlojd with pid " + first.pid());
        }
    }

    /** The name of the replica is in the directory: two of one name take each other for one. */
    @Test
    void directoryIsForOneOrlojdAlsoWithADatabaseOfTheOperator() throws Exception {
        try (TestPostgres.Database database = TestPostgres.freshDatabase();
                RunningOrlojd _ =
                        RunningOrlojd.start(database, Map.of("orloj.data-dir", directory))) {
            Throwable failure =
                    catchThrowable(
                            () ->
                                    OrlojdProcess.start(
                                            directory,
                                            "--database-url",
                                            RunningOrlojd.url(database.direct())));

            assertThat(failure.getMessage().strip().lines())
                    .singleElement()
                    .asString()
                    .startsWith("orlojd did not start: orlojd: Data directory")
                    .contains("in use by orlojd with pid " + ProcessHandle.current().pid());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", ""})
    void addressThatOthersReachNeedsASecondWordWhereverItComesFrom(String address) {
        try (TestPostgres.Database database = TestPostgres.freshDatabase()) {
            assertThatThrownBy(
                            () -> RunningOrlojd.start(database, Map.of("server.address", address)))
                    .rootCause()
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageContaining("server.address", address, "insecure-remote-access");
        }
    }

    /** What a start that fails prints, to either stream. */
    private String failedStart(Map<String, String> environment, String... options) {
        Throwable failure =
                catchThrowable(() -> OrlojdProcess.start(directory, environment, options).close());
        assertThat(failure).hasMessageStartingWith("orlojd did not start: ");
        return failure.getMessage().substring("orlojd did not start: ".length()).strip();
    }

    /** That nothing slow was done before. */
    private void assertNothingWasUnpacked() throws Exception {
        try (Stream<Path> files = Files.list(directory.resolve("postgres"))) {
            assertThat(files).noneMatch(file -> Files.isDirectory(file));
        }
    }

    @ParameterizedTest
    @DisplayName("H-27: a bad key of the Secrets is one line with the remedy")
    @ValueSource(strings = {"", "short", "AAAA", "\u00ff\u00fe\u0000", "*secret*"})
    void badKeyIsOneLine(String key) throws Exception {
        Path file = directory.resolve("secret.key");
        Files.writeString(file, key, StandardCharsets.ISO_8859_1);

        String output = failedStart(Map.of());

        assertThat(output.lines()).hasSize(1);
        assertThat(output)
                .startsWith("orlojd: \"" + file + "\", the key of the Secrets, is not 32 bytes")
                .contains("put back the key that was there")
                .doesNotContain("*secret*");
        assertNothingWasUnpacked();
    }

    @Test
    @DisplayName("H-27: a busy port is reported before anything slow")
    void busyPortIsReportedFirst() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(other.getLocalPort());

            assertThat(failedStart(Map.of(), "--port", port))
                    .isEqualTo(
                            "orlojd: port %s is in use; stop what listens there, or choose another with --port"
                                    .formatted(port));
        }
        assertNothingWasUnpacked();
    }

    /** Of an interface that this machine does not have. */
    @Test
    @DisplayName("H-27: an address that is not here is reported before anything slow")
    void foreignAddressIsReportedFirst() throws Exception {
        assertThat(
                        failedStart(
                                Map.of(),
                                "--port",
                                "18099",
                                "--https-port",
                                "0",
                                "--host",
                                "192.0.2.1",
                                "--insecure-remote-access"))
                .startsWith("orlojd: cannot listen on \"192.0.2.1\", port 18099: ")
                .hasLineCount(1);
        assertNothingWasUnpacked();
    }

    @Test
    @DisplayName("H-27: a setting of the wrong type is one line, without its value")
    void settingOfTheWrongTypeIsOneLine() {
        assertThat(
                        failedStart(
                                Map.of(
                                        "ORLOJ_DATABASE_CONNECTIONS",
                                        "hunter2",
                                        "ORLOJ_DATABASE_URL",
                                        "jdbc:postgresql://127.0.0.1:9/x")))
                .startsWith("orlojd: the setting orloj.database")
                .contains("ORLOJ_DATABASE_CONNECTIONS")
                .doesNotContain("hunter2")
                .hasLineCount(1);
    }

    @Test
    @DisplayName("H-27: a data directory that cannot be made is one line")
    void dataDirectoryThatCannotBeMadeIsOneLine() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Throwable failure =
                catchThrowable(
                        () -> OrlojdProcess.start(directory, "--data-dir", file + "/data").close());

        assertThat(failure.getMessage().strip())
                .hasLineCount(1)
                .contains("orlojd: ", file.toString(), "choose another --data-dir")
                .doesNotContain("Exception");
    }

    /** tar is one that says what tar says then. */
    @Test
    @DisplayName("H-27: a disk that fills up while PostgreSQL is unpacked is reported as that")
    void diskThatFillsUpIsReportedAsThat() throws Exception {
        Path tar = Files.createDirectory(directory.resolve("bin")).resolve("tar");
        Files.writeString(
                tar,
                """
                #!/bin/sh
                cat >/dev/null
                echo "tar: ./lib/postgresql: Cannot write: No space left on device"
                exit 2
                """);
        Files.setPosixFilePermissions(tar, PosixFilePermissions.fromString("rwxr-xr-x"));

        String output = failedStart(Map.of("PATH", tar.getParent() + ":" + System.getenv("PATH")));

        assertThat(output.lines()).hasSize(2);
        assertThat(output.lines().findFirst().orElseThrow())
                .matches("orlojd: \\[\\d+\\.\\ds] unpacking PostgreSQL .*\\(first start only\\)");
        assertThat(output.lines().skip(1).findFirst().orElseThrow())
                .startsWith(
                        "orlojd: the disk of \"" + directory.resolve("postgres") + "\" is full (")
                .contains("make room")
                .doesNotContain("xz");
    }

    @Test
    @DisplayName("H-27: a first start prints its slow steps, the next one none")
    void firstStartPrintsItsSteps() throws Exception {
        OrlojdProcess.start(directory).stop();
        assertThat(Files.readString(directory.resolve("orlojd.log")))
                .containsSubsequence(
                        "] unpacking PostgreSQL",
                        "] creating the database",
                        "] bringing the tables of the database up to date",
                        "orlojd is ready url=",
                        "elapsed=");

        OrlojdProcess.start(directory).stop();
        assertThat(Files.readString(directory.resolve("orlojd.log")))
                .doesNotContain("orlojd: [")
                .contains("orlojd is ready");
    }
}
