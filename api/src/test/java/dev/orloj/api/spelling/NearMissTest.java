package dev.orloj.api.spelling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

@DisplayName("20.3: near misses")
class NearMissTest {

    private static final List<String> WORDS =
            List.of("Ready", "ToolsSynced", "stringData", "command", "McpServer");

    @ParameterizedTest
    @CsvSource({
        "Raedy, Ready",
        "ready, Ready",
        "stringdate, stringData",
        "comand, command",
        "COMMAND, command",
        "mcpserver, McpServer",
        "toolsSync, ToolsSynced"
    })
    void closestWordIsFoundWhateverTheCase(String typed, String meant) {
        assertThat(NearMiss.of(typed, WORDS)).contains(meant);
    }

    @ParameterizedTest
    @CsvSource({"x", "pods", "environment"})
    void otherWordsAreNoneOfThem(String typed) {
        assertThat(NearMiss.of(typed, WORDS)).isEmpty();
    }

    @Test
    void singleLetterIsNoMisspellingOfAnotherOne() {
        assertThat(NearMiss.of("x", List.of("a", "ab"))).isEmpty();
        assertThat(NearMiss.of("X", List.of("a", "x"))).contains("x");
        assertThat(NearMiss.of("b", List.of("a", "bb"))).contains("bb");
    }
}
