package dev.orloj.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

@DisplayName("20.7: tables fit the terminal")
class TablePrinterTest {

    private static final List<List<String>> LINES =
            List.of(
                    List.of("NAMESPACE", "NAME", "READY", "DESCRIPTION", "AGE"),
                    List.of("default", "everything--echo", "True", "Says the message again", "5m"),
                    List.of("default", "日本語", "False", "説明".repeat(20), "12d"));

    private static List<String> printed(int width, List<List<String>> lines) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new TablePrinter(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new TablePrinter.Layout(false, true, true, "", width))
                .print(lines);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 20, 40, 60, 80, 90, 100, 200})
    void noLineIsWiderThanTheTerminal(int width) {
        assertThat(printed(width, LINES))
                .hasSize(3)
                .allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(width));
    }

    @Test
    void longTextsAreCutBeforeNames() {
        assertThat(printed(60, LINES))
                .containsExactly(
                        "NAMESPACE   NAME               READY   DESCRIPTION       AGE",
                        "default     everything--echo   True    Says the messa…   5m",
                        "default     日本語             False   説明説明説明説…   12d");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 200})
    void whatFitsIsWhole(int width) {
        assertThat(printed(width, LINES))
                .noneMatch(line -> line.contains("…"))
                .anyMatch(line -> line.contains("Says the message again"));
    }

    @Test
    void everyWidthShowsAsMuchAsItCan() {
        List<List<String>> line = List.of(List.of("", "a", "b".repeat(30), "c".repeat(40)));

        assertThat(printed(60, line)).first().satisfies(text -> assertThat(text).hasSize(60));
        assertThat(printed(50, line)).first().satisfies(text -> assertThat(text).hasSize(50));
    }

    @ParameterizedTest
    @CsvSource({"abc, 3", "日本, 4", "é, 1", "e\u0301, 1", "😀, 2", "👨\u200d👩, 4", "'', 0"})
    void widthIsThatOfTheTerminal(String text, int width) {
        assertThat(Text.width(text)).isEqualTo(width);
    }
}
