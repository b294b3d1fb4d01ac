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

    static List<Usage> ofKinds() {
        return Usage.ALL.stream().filter(Usage::takesKind).toList();
    }

    static List<Usage> ofServers() {
        return Usage.ALL.stream().filter(Usage::takesServers).toList();
    }

    static List<Usage> ofManifests() {
        return Usage.ALL.stream().filter(Usage::readsManifests).toList();
    }

    static List<Usage> understood() {
        return Usage.ALL.stream().filter(usage -> !usage.understood().isEmpty()).toList();
    }

    static List<Usage> ofNoServer() {
        return understood().stream().filter(usage -> !usage.asksTheServer()).toList();
    }

    @ParameterizedTest
    @MethodSource("ofKinds")
    void kindThatDoesNotExistIsCorrected(Usage usage) {
        String given = usage.understood();
        String line = given.contains("mcp") ? given.replaceFirst("mcp", "toolz") : "toolz/x";

        CommandLineRun run = ctl(usage.with(line));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err().lines().findFirst().orElseThrow())
                .isEqualTo("orlojctl: unknown kind \"toolz\"; did you mean \"tools\"?");
        assertThat(orlojd.requests()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("ofServers")
    void resourceOfAnotherKindIsNoServer(Usage usage) {
        String given = usage.understood();
        String line =
                given.contains(Usage.MISSING)
                        ? given.replaceFirst(Usage.MISSING, "tool/" + Usage.MISSING)
                        : "tool/" + Usage.MISSING;

        CommandLineRun run = ctl(usage.with(line));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).startsWith("orlojctl: ").contains("tool");
        assertThat(run.err()).contains("\nUsage: orlojctl " + usage.command());
        assertThat(orlojd.requests()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("ofManifests")
    void manifestOfAnUnknownKindIsNamedWithItsLine(Usage usage) {
        CommandLineRun run =
                ctlReading(
                        MANIFEST.replace("McpServer", "McpServr"),
                        usage.with(
                                usage.understood()
                                                .replaceFirst("^(mcp[ /])?githup", "")
                                                .replaceFirst("^-f [^ ]+", "")
                                        + " -f -"));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(usage.failure());
        assertThat(run.err().lines().findFirst().orElseThrow())
                .startsWith("orlojctl: stdin, document 1, line 2: ")
                .contains("did you mean", "McpServer");
    }

    @ParameterizedTest
    @MethodSource("ofNoServer")
    void commandWithoutAServerAsksNone(Usage usage) {
        ctl(usage.with(usage.full()));

        assertThat(orlojd.requests()).isEmpty();
    }

    /** What the process leaves behind when its output takes nothing. */
    private CommandLineRun losingOutput(boolean isFile, Usage usage) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console =
                new Console(
                        new ByteArrayInputStream(MANIFEST.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(new FullDisk(), false, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        environment(),
                        clock);
        int exitCode = Main.run(console, isFile, usage.with(usage.understood()));
        return new CommandLineRun(exitCode, "", err.toString(StandardCharsets.UTF_8));
    }

    private Map<String, String> environment() {
        // The editor of the machine would wait for a person.
        return Map.of("ORLOJCTL_SERVER", orlojd.url(), "KUBE_EDITOR", "true", "HOME", "/none");
    }

    private CommandLineRun complete(Usage usage) {
        return CommandLineRun.of(clock, environment(), MANIFEST, usage.with(usage.understood()));
    }

    private void fill() {
        orlojd.resources().put(server(Usage.MISSING));
        orlojd.resources().put(tool(Usage.MISSING, "echo", "{}"));
        orlojd.putTool(
                Usage.MISSING + "--echo",
                _ -> "{\"content\": [{\"type\": \"text\", \"text\": \"x\"}]}");
        orlojd.putLog(Usage.MISSING, "a line");
    }

    @ParameterizedTest
    @MethodSource("understood")
    void outputThatIsLostIsAFailure(Usage usage) {
        fill();
        CommandLineRun lost = losingOutput(true, usage);
        if (!complete(usage).out().isEmpty()) {
            assertThat(lost.exitCode()).as(lost.err()).isNotZero();
            assertThat(lost.err().lines().toList().getLast())
                    .startsWith("orlojctl: the output is not complete");
        }
    }

    @ParameterizedTest
    @MethodSource("understood")
    void readerThatLeavesIsNoFailure(Usage usage) {
        fill();
        assertThat(losingOutput(false, usage).err()).doesNotContain("output", "Exception");
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
