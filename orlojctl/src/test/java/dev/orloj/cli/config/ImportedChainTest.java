package dev.orloj.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.certificate.Fingerprint;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.TestChains;
import dev.orloj.cli.testing.ChainServer;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Which servers {@code config import} believes, and what it writes. */
@Timeout(60)
class ImportedChainTest {

    private static final String[] WHOLE = {"server", "intermediate", "root"};

    @TempDir private Path folder;

    private CommandLineRun run(String stdin, String... arguments) {
        return runWith(file().toString(), stdin, arguments);
    }

    private static CommandLineRun runWith(String files, String stdin, String... arguments) {
        return CommandLineRun.of(
                new ManualClock(),
                Map.of("KUBECONFIG", files),
                stdin,
                Stream.concat(Stream.of("config", "import"), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private Path file() {
        return folder.resolve("config");
    }

    private static String fingerprint(String name) {
        return Fingerprint.of(TestChains.certificate(name)).toString();
    }

    @ParameterizedTest
    @CsvSource({
        "server intermediate root, root",
        "server root intermediate, root",
        "server intermediate, intermediate",
        "server intermediate old-root, intermediate",
        "alone, alone"
    })
    void authorityThatIssuedTheServerIsTrusted(String chain, String authority) throws Exception {
        try (ChainServer server = ChainServer.of(chain.split(" "))) {
            CommandLineRun run = run("", server.address(), "--fingerprint", fingerprint(authority));

            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        String pem = TestChains.pem(authority);
        assertThat(Files.readString(file()))
                .contains(
                        Base64.getEncoder()
                                .encodeToString(pem.getBytes(StandardCharsets.US_ASCII)));
    }

    /** A man in the middle has the certificates of the real server, which are no secret. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "forged intermediate root",
                "forged root",
                "forged intermediate",
                "alone intermediate root",
                "alone root",
                "old-root root",
                "of-old-root root"
            })
    void serverThatPresentsTheAuthorityOfAnotherIsRefused(String chain) throws Exception {
        try (ChainServer server = ChainServer.of(chain.split(" "))) {
            for (String authority : List.of("root", "intermediate")) {
                CommandLineRun run =
                        run("", server.address(), "--fingerprint", fingerprint(authority));

                assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
            }
            assertThat(run("", server.address()).err())
                    .doesNotContain(fingerprint("root"), fingerprint("intermediate"));
        }
        assertThat(file()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"of-old-root old-root, old-root", "old-server, old-server"})
    void expiredCertificateIsRefusedAlsoIfItIsTheAuthority(String chain, String authority)
            throws Exception {
        try (ChainServer server = ChainServer.of(chain.split(" "))) {
            CommandLineRun run = run("", server.address(), "--fingerprint", fingerprint(authority));

            assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
            assertThat(run.err()).contains("NotAfter", "2021", "nothing was written");
        }
        assertThat(file()).doesNotExist();
    }

    @Test
    void lineOfOpensslIsAFingerprintAndOneBySha1IsNot() throws Exception {
        try (ChainServer server = ChainServer.of(WHOLE)) {
            String line =
                    fingerprint("root")
                            .replaceAll("(?<=:.*)(..)(?!$)", "$1:")
                            .replace("sha256:", "sha256 Fingerprint=");
            assertThat(run("", server.address(), "--fingerprint", line).exitCode()).isZero();

            CommandLineRun sha1 =
                    run("", server.address(), "--fingerprint", "SHA1 Fingerprint=AA:BB");
            assertThat(sha1.exitCode()).isEqualTo(2);
            assertThat(sha1.err()).contains("--fingerprint: it is by SHA-1");
        }
    }

    @Test
    void tokenComesFromStandardInputOrAFile() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "  from-a-file\n");
        try (ChainServer server = ChainServer.of(WHOLE)) {
            String[] command = {
                server.address(), "--fingerprint", fingerprint("root"), "--token-file", "-"
            };
            CommandLineRun run = run("from-stdin\n", command);
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).doesNotContain("create token", "from-stdin");
            assertThat(Files.readString(file())).contains("token: from-stdin");

            assertThat(run("two words", command).err()).contains("there is no token in \"-\"");
            assertThat(run("", command).err()).contains("there is no token in \"-\"");
            assertThat(Files.readString(file())).contains("token: from-stdin");

            command[4] = token.toString();
            assertThat(run("", command).exitCode()).isZero();
            assertThat(Files.readString(file()))
                    .contains("token: from-a-file")
                    .doesNotContain("from-stdin");

            command[4] = folder.resolve("absent").toString();
            assertThat(run("", command).err()).contains("cannot read", "absent");
        }
    }

    @Test
    void hostWithoutAnAddressIsNamed() {
        CommandLineRun run = run("", "orloj.invalid");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("cannot reach orloj.invalid:8443: unknown host");
    }

    /** A person may take an hour to compare a fingerprint. */
    @Test
    void whatOthersWriteMeanwhileStays() throws Exception {
        try (ChainServer server = new ChainServer(TestChains.of(WHOLE), this::writeOther)) {
            CommandLineRun run =
                    run(
                            "",
                            server.address(),
                            "--name",
                            "team",
                            "--use-context",
                            "--fingerprint",
                            fingerprint("root"));
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertThat(Files.readString(file()))
                .contains("of-other", "current-context: team", "name: team");
    }

    private void writeOther() {
        try {
            Files.writeString(file(), "users: [{name: other, user: {token: of-other}}]\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void currentContextChangesInTheFileThatHasIt() throws Exception {
        Path first = Files.writeString(folder.resolve("first"), "current-context: other\n");
        try (ChainServer server = ChainServer.of(WHOLE)) {
            Files.writeString(file(), "contexts: [{name: team, context: {}}]\n");
            CommandLineRun run =
                    runWith(
                            first + File.pathSeparator + file(),
                            "",
                            server.address(),
                            "--name",
                            "team",
                            "--use-context",
                            "--overwrite",
                            "--fingerprint",
                            fingerprint("root"));
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertThat(Files.readString(first)).contains("current-context: team");
        assertThat(Files.readString(file()))
                .contains("cluster: team")
                .doesNotContain("current-context");
    }

    /** Of two clusters with one name the first counts, which would get the token. */
    @Test
    void tokenIsNotGivenToAClusterOfAnotherFile() throws Exception {
        Path first = folder.resolve("first");
        String both = first + File.pathSeparator + file();
        try (ChainServer server = ChainServer.of(WHOLE)) {
            String[] command = {
                server.address(), "--name", "team", "--fingerprint", fingerprint("root")
            };
            assertThat(run("", command).exitCode()).isZero();
            String other =
                    "clusters: [{name: team, cluster: {server: \"https://other.example:8443\"}}]\n";
            Files.writeString(first, other);

            String[] withToken =
                    Stream.concat(Stream.of(command), Stream.of("--token-file", "-"))
                            .toArray(String[]::new);
            CommandLineRun run = runWith(both, "secret", withToken);

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).contains("there is another", "nothing was written");
            assertThat(Files.readString(file())).doesNotContain("secret");
            assertThat(Files.readString(first)).isEqualTo(other);
        }
    }
}
