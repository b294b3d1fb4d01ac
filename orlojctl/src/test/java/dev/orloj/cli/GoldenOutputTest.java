package dev.orloj.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;
import dev.orloj.cli.testing.FakeOrlojd;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What every command prints on terminals of three widths: its help, and its answer where it asks
 * the server. A command without a golden file fails; {@code -Dgolden=update} writes it.
 */
@Timeout(30)
@DisplayName("20, bar 3: golden output of every command at 60, 100 and 200 columns")
class GoldenOutputTest extends CommandTest {

    private static final Path GOLDEN =
            Path.of("src/test/resources/dev/orloj/cli/command/golden/commands");
    private static final List<String> WIDTHS = List.of("60", "100", "200");
    private static final String TIME_OF_FILE =
            "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d+ [+-]\\d{4}";
    private static final String MANIFEST =
            """
            apiVersion: orloj.dev/v1
            kind: McpServer
            metadata: {name: everything}
            spec: {transport: stdio, command: npx}
            """;

    static List<Usage> usages() {
        return Usage.ALL;
    }

    @ParameterizedTest
    @MethodSource("usages")
    void outputIsThatOfTheGoldenFile(Usage usage) throws IOException {
        StringBuilder all = new StringBuilder();
        append(all, usage.with("--help"));
        if (usage.asksTheServer()) {
            append(all, usage.with(usage.working()));
        }
        assertGolden("commands/" + fileName(usage), all.toString());
    }

    /** Adds what is printed, once for all widths at which it is the same. */
    private void append(StringBuilder all, String... line) {
        Map<String, List<String>> widths = new LinkedHashMap<>();
        for (String columns : WIDTHS) {
            widths.computeIfAbsent(printed(columns, line), _ -> new ArrayList<>()).add(columns);
        }
        widths.forEach(
                (printed, columns) ->
                        all.append(
                                "=== orlojctl %s, %s columns%n%s%n"
                                        .formatted(
                                                String.join(" ", line),
                                                String.join(", ", columns),
                                                printed)));
    }

    private static String fileName(Usage usage) {
        return usage.command().replace(' ', '-') + ".txt";
    }

    /** Files of commands that are gone would look like outputs that are checked. */
    @Test
    void everyGoldenFileBelongsToACommand() throws IOException {
        try (Stream<Path> files = Files.list(GOLDEN)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            Usage.ALL.stream().map(GoldenOutputTest::fileName).toList());
        }
    }

    private static void put(FakeOrlojd orlojd) {
        orlojd.resources().put(server(Usage.MISSING));
        orlojd.resources().put(tool(Usage.MISSING, "echo", "{}"));
        orlojd.putTool(
                Usage.MISSING + "--echo",
                _ -> "{\"content\": [{\"type\": \"text\", \"text\": \"x\"}]}");
        orlojd.putLog(Usage.MISSING, "a line");
    }

    private String printed(String columns, String... line) {
        try (FakeOrlojd fresh = new FakeOrlojd(clock)) {
            put(fresh);
            Map<String, String> environment =
                    Map.of(
                            "ORLOJCTL_SERVER",
                            fresh.url(),
                            "COLUMNS",
                            columns,
                            // The editor of the machine would wait for a person.
                            "KUBE_EDITOR",
                            "true");
            CommandLineRun run = CommandLineRun.of(clock, environment, MANIFEST, line);
            return (run.out() + run.err().replaceAll("(?m)^(?=.)", "stderr: "))
                            .replace(fresh.url(), "http://ORLOJD")
                            .replaceAll(TIME_OF_FILE, "TIME")
                    + "exit code "
                    + run.exitCode();
        }
    }
}
