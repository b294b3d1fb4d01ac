package dev.orloj.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.output.Console;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Issue 20, bar 3: careless use of every verb ends in one clear line and the right exit code. */
@Timeout(30)
@DisplayName("20: careless use of every command gives one clear line and the right exit code")
class CarelessUseTest extends CommandTest {

    private static final String MANIFEST =
            """
            apiVersion: orloj.dev/v1
            kind: McpServer
            metadata: {name: everything}
            spec: {transport: stdio, command: npx}
            """;

    static List<Usage> ofTheServer() {
        return Usage.ALL.stream().filter(Usage::asksTheServer).toList();
    }

    static List<Usage> ofNames() {
        return Usage.ALL.stream().filter(Usage::namesWhatIsMissing).toList();
    }

    @ParameterizedTest
    @MethodSource("ofTheServer")
    void serverThatIsDownIsNamedWithARemedy(Usage usage) {
        CommandLineRun run =
                CommandLineRun.of(
                        clock,
                        Map.of("ORLOJCTL_SERVER", "http://127.0.0.1:9"),
                        MANIFEST,
                        usage.with(usage.working()));

        assertThat(run.exitCode()).isEqualTo(usage.failure());
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .startsWith("orlojctl: cannot reach the server at http://127.0.0.1:9")
                .contains("is orlojd running?");
    }

    @ParameterizedTest
    @MethodSource("ofNames")
    void nameThatDoesNotExistIsCorrected(Usage usage) {
        orlojd.resources().put(server("github"));
        orlojd.resources().put(tool("github", "echo", "{}"));

        CommandLineRun run = ctl(usage.with(usage.working()));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .startsWith("orlojctl: ")
                .contains("\"" + Usage.MISSING)
                .containsPattern("did you mean \"github(--|__)?");
    }

    @ParameterizedTest
    @MethodSource("ofTheServer")
    void outputThatIsLostIsAFailure(Usage usage) {
        orlojd.resources().put(server(Usage.MISSING));
        orlojd.resources().put(tool(Usage.MISSING, "echo", "{}"));
        orlojd.putTool(
                Usage.MISSING + "--echo",
                _ -> "{\"content\": [{\"type\": \"text\", \"text\": \"x\"}]}");
        orlojd.putLog(Usage.MISSING, "a line");
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console =
                new Console(
                        new ByteArrayInputStream(MANIFEST.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(new FullDisk(), false, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        // The editor of the machine would wait for a person.
                        Map.of("ORLOJCTL_SERVER", orlojd.url(), "KUBE_EDITOR", "true"),
                        clock);

        int exitCode = Main.run(console, true, usage.with(usage.working()));

        String printed = err.toString(StandardCharsets.UTF_8);
        assertThat(printed).isNotEmpty();
        if (printed.contains("the output is not complete")) {
            assertThat(exitCode).isEqualTo(1);
        }
    }

    /** A disk without space. */
    private static final class FullDisk extends OutputStream {

        @Override
        public void write(int b) throws IOException {
            throw new IOException("No space left on device");
        }
    }

    @Test
    void resourceOfAnotherNamespaceIsFound() {
        orlojd.resources()
                .put(
                        server("github")
                                .replace(
                                        "\"namespace\": \"default\"", "\"namespace\": \"team-a\""));

        assertThat(ctl("get", "mcp", "github").err())
                .isEqualTo(
                        "orlojctl: mcpservers.orloj.dev \"github\" not found; there is one in"
                                + " namespace \"team-a\": add -n team-a\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spec.comand | spec: {transport: stdio, comand: npx} | command",
                "spec.url | spec: {transport: http, url: 'http://a.example'} | endpoint",
                "spec.toolFilter | spec: {transport: stdio, toolFilter: {}} | tool_filter",
                "spec.secretRef | spec: {transport: http, secretRef: a} | spec.",
                "spec.env[0].valeu | spec: {transport: stdio, env: [{name: A, valeu: b}]} | value",
                "spce | spce: {transport: stdio} | spec",
            })
    void misspelledFieldsAreCorrected(String field, String spec, String meant) {
        String manifest =
                """
                apiVersion: orloj.dev/v1
                kind: McpServer
                metadata: {name: everything}
                """
                        + spec
                        + "\n";

        for (String verb : List.of("apply", "validate")) {
            assertThat(ctlReading(manifest, verb, "-f", "-").err())
                    .as(verb)
                    .contains(
                            "stdin, document 1, line 4: unknown field \"%s\"; did you mean \"%s"
                                    .formatted(field, meant));
        }
    }
}
