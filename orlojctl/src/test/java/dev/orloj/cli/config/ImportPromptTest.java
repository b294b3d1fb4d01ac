package dev.orloj.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.certificate.Fingerprint;
import dev.orloj.api.testing.TestChains;
import dev.orloj.cli.Main;
import dev.orloj.cli.testing.ChainServer;
import dev.orloj.cli.testing.PseudoTerminal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A person at a terminal who imports a context. */
@Timeout(300)
class ImportPromptTest {

    private static final String QUESTION = "Is it the same? [y/N] ";

    @TempDir private Path folder;

    private Path file() {
        return folder.resolve("config");
    }

    private PseudoTerminal.Ended answer(String keys) throws Exception {
        try (ChainServer server = ChainServer.of("server", "intermediate", "root")) {
            return PseudoTerminal.run(
                    100,
                    Map.of("KUBECONFIG", file().toString(), "TERM", "xterm"),
                    List.of(new PseudoTerminal.Typed(QUESTION, keys)),
                    command(server.address(), "--name", "team", "--use-context"));
        }
    }

    /** With the default action for Ctrl-C, which programs in the background of a shell ignore. */
    private static List<String> command(String... arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "env",
                                "--default-signal=INT",
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName(),
                                "config",
                                "import"));
        command.addAll(List.of(arguments));
        return command;
    }

    @ParameterizedTest
    @ValueSource(strings = {"y\n", " YES \n"})
    void personWhoSaysYesGetsTheContext(String keys) throws Exception {
        PseudoTerminal.Ended ended = answer(keys);

        assertThat(ended.exitCode()).as(ended.printed()).isZero();
        assertThat(ended.printed())
                .contains(
                        "subject      CN=test-root",
                        "expires      2120-01-01T00:00:00Z",
                        "fingerprint  " + Fingerprint.of(TestChains.certificate("root")),
                        "Switched to context \"team\".");
        assertThat(Files.readString(file())).contains("current-context: team");
    }

    /** The keys are an answer that is no yes, the end of the input, and Ctrl-C. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"'\n' | 1", "'n\n' | 1", "'yy\n' | 1", "'\u0004' | 1", "'\u0003' | 130"})
    void withoutAYesNothingIsWritten(String keys, int exitCode) throws Exception {
        PseudoTerminal.Ended ended = answer(keys);

        assertThat(ended.exitCode()).as(ended.printed()).isEqualTo(exitCode);
        assertThat(ended.printed()).doesNotContain("Exception");
        assertThat(file()).doesNotExist();
    }

    @Test
    void interruptedHandshakeWritesNothing() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path err = folder.resolve("err");
            ProcessBuilder builder =
                    new ProcessBuilder(command("127.0.0.1:" + silent.getLocalPort()))
                            .redirectError(err.toFile());
            builder.environment().put("KUBECONFIG", file().toString());
            Process process = builder.start();
            try (Socket client = silent.accept()) {
                client.getInputStream().read();
                new ProcessBuilder("bash", "-c", "kill -INT " + process.pid()).start().waitFor();

                assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
                assertThat(process.exitValue()).isEqualTo(130);
            } finally {
                process.destroyForcibly().waitFor();
            }
            assertThat(Files.readString(err)).doesNotContain("Exception", "orlojctl: ");
        }
        assertThat(file()).doesNotExist();
    }
}
