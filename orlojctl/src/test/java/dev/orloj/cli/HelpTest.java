package dev.orloj.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

@DisplayName("20.7: help fits the terminal and has no escape sequences")
class HelpTest extends CommandTest {

    @ParameterizedTest
    @CsvSource({"40, 60", "60, 60", "80, 80", "100, 100", "200, 100", "x, 100", "99999, 100"})
    void helpOfEveryCommandFitsTheTerminal(String columns, int width) {
        for (Usage usage : Usage.ALL) {
            CommandLineRun run =
                    CommandLineRun.of(clock, Map.of("COLUMNS", columns), "", usage.with("--help"));

            assertThat(run.exitCode()).isZero();
            assertThat(List.of(run.out().split("\nExamples:\n", 2)[0].split("\n")))
                    .as("%s at %s columns", usage, columns)
                    .allMatch(line -> line.length() <= width);
        }
    }

    /** Colors forced on would show as text, since a terminal gets no control characters. */
    @Test
    void helpHasNoColorsEvenWhereTheyAreForced() throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Dpicocli.ansi=true",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName(),
                                "get",
                                "--help")
                        .redirectErrorStream(true)
                        .redirectInput(new File("/dev/null"))
                        .start();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        process.getInputStream().transferTo(out);

        assertThat(process.waitFor()).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("Usage: orlojctl get [")
                .doesNotContain("\u001b", "\\u001b");
    }
}
