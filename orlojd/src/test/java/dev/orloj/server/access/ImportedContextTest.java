package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.cli.Orlojctl;
import dev.orloj.cli.output.Console;
import dev.orloj.server.certificate.TestCertificates;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.OrlojdProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A context that {@code orlojctl config import} has made for this orlojd. */
@Timeout(120)
class ImportedContextTest {

    @TempDir private Path data;
    @TempDir private Path home;

    private record Run(int exitCode, String output) {}

    private Run run(String... arguments) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(output, true, StandardCharsets.UTF_8);
        Console console =
                new Console(
                        new ByteArrayInputStream(new byte[0]),
                        stream,
                        stream,
                        Map.of("KUBECONFIG", file().toString()),
                        InstantSource.system());
        int exitCode = Orlojctl.run(console, arguments);
        return new Run(exitCode, output.toString(StandardCharsets.UTF_8));
    }

    private Path file() {
        return home.resolve("config");
    }

    @Test
    void importedContextListsServersAndIsTheSameTheSecondTime() throws Exception {
        try (TestPostgres.Database database = TestPostgres.freshDatabase();
                HttpsOrlojd orlojd = HttpsOrlojd.start(database, data, Map.of())) {
            String fingerprint = TestCertificates.fingerprint(data);
            String[] command = {
                "config", "import", orlojd.url(), "--name", "team", "--fingerprint", fingerprint
            };

            Run without = run(command);
            assertThat(without.exitCode()).as(without.output()).isZero();
            assertThat(without.output()).contains("orlojctl create token");

            String[] full = Arrays.copyOf(command, command.length + 3);
            full[command.length] = "--token-file";
            full[command.length + 1] = data.resolve("admin.token").toString();
            full[command.length + 2] = "--use-context";
            Run first = run(full);
            assertThat(first.exitCode()).as(first.output()).isZero();
            String written = Files.readString(file());
            assertThat(run(command).exitCode()).isZero();

            assertThat(Files.readString(file())).isEqualTo(written);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                    .isEqualTo("rw-------");
            Run list = run("get", "mcpservers");
            assertThat(list.exitCode()).as(list.output()).isZero();
            assertThat(list.output()).contains("No resources found in default namespace.");
        }
    }

    @Test
    void contextOfAnotherServerIsReplacedOnlyWhenAskedAndLosesItsToken() throws Exception {
        Files.writeString(
                file(),
                """
                apiVersion: v1
                kind: Config
                clusters: [{name: team, cluster: {server: "https://other.example:8443"}}]
                users: [{name: team, user: {token: of-other}}]
                contexts: [{name: team, context: {cluster: team, user: team}}]
                """);
        String before = Files.readString(file());
        try (TestPostgres.Database database = TestPostgres.freshDatabase();
                HttpsOrlojd orlojd = HttpsOrlojd.start(database, data, Map.of())) {
            String fingerprint = TestCertificates.fingerprint(data);
            String[] command = {
                "config", "import", orlojd.url(), "--name", "team", "--fingerprint", fingerprint
            };

            Run refused = run(command);
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.output()).contains("--overwrite");
            assertThat(Files.readString(file())).isEqualTo(before);

            String[] overwriting = Arrays.copyOf(command, command.length + 1);
            overwriting[command.length] = "--overwrite";
            assertThat(run(overwriting).exitCode()).isZero();
            assertThat(Files.readString(file())).contains(orlojd.url()).doesNotContain("of-other");
        }
    }

    /** A person who imports compares the fingerprint with the log of orlojd. */
    @Test
    void fingerprintOfTheLogImportsBeforeAndAfterANewCertificate() throws Exception {
        Path certificate = home.resolve("own.crt");
        Path key = home.resolve("own.key");
        TestCertificates.writeServer(certificate, key);
        try (OrlojdProcess _ =
                OrlojdProcess.start(
                        data,
                        Map.of("ORLOJ_HTTPS_CHECK_PERIOD", "100ms"),
                        "--https-port",
                        "0",
                        "--tls-cert-file",
                        certificate.toString(),
                        "--tls-private-key-file",
                        key.toString())) {
            String url = logged("HTTPS port is open", "url");
            String first = logged("HTTPS port is open", "authority");
            assertThat(importAs("first", url, first).exitCode()).isZero();

            TestCertificates.writeServer(certificate, key);
            String second = logged("HTTPS port has a new certificate", "authority");

            assertThat(second).isNotEqualTo(first);
            assertThat(importAs("stale", url, first).exitCode()).isEqualTo(1);
            assertThat(importAs("second", url, second).exitCode()).isZero();
        }
    }

    private Run importAs(String name, String url, String fingerprint) {
        return run("config", "import", url, "--name", name, "--fingerprint", fingerprint);
    }

    /** Waits for a line of the log, and returns the value of a field in the newest. */
    private String logged(String message, String field) {
        Pattern pattern = Pattern.compile(message + ".* " + field + "=\"([^\"]+)\"");
        return await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> {
                            Matcher line =
                                    pattern.matcher(Files.readString(OrlojdProcess.log(data)));
                            return line.results().reduce((_, last) -> last);
                        },
                        Optional::isPresent)
                .orElseThrow()
                .group(1);
    }
}
