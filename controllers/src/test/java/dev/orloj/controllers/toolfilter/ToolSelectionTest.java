package dev.orloj.controllers.toolfilter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.v1.McpServer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

@DisplayName("H-24: tool_filter")
class ToolSelectionTest {

    private static ToolSelection selection(List<String> include, List<String> exclude) {
        return ToolSelection.of(new McpServer.ToolFilter(include, exclude));
    }

    @ParameterizedTest
    @CsvSource({
        "get_*, get_user, true",
        "get_*, get_, true",
        "get_*, forget_user, false",
        "*_user, get_user, true",
        "*_user, get_users, false",
        "get_*_of_*, get_a_of_of_b, true",
        "get_?, get_a, true",
        "get_?, get_, false",
        "get_?, get_ab, false",
        "*, anything, true",
        "a.b, aXb, false",
        "Get, get, false",
        "'[a-z]*', abc, false",
        "**a**, bab, true"
    })
    void starStandsForAnyCharactersAndQuestionMarkForOne(
            String pattern, String name, boolean matches) {
        assertThat(selection(List.of(pattern), List.of()).admits(name)).isEqualTo(matches);
    }

    @Test
    void everythingIsOfferedWithoutAFilter() {
        assertThat(ToolSelection.of(null).admits("a")).isTrue();
        assertThat(selection(List.of(), List.of(" ")).admits("a")).isTrue();
    }

    @Test
    void excludeWins() {
        ToolSelection selection = selection(List.of("get_*", "delete_user"), List.of("delete_*"));

        assertThat(selection.admits("get_user")).isTrue();
        assertThat(selection.admits("delete_user")).isFalse();
        assertThat(selection.admits("other")).isFalse();
    }

    @Test
    void excludeAloneLeavesTheRest() {
        ToolSelection selection = selection(List.of(), List.of("delete_*", "drop"));

        assertThat(selection.admits("get")).isTrue();
        assertThat(selection.admits("drop")).isFalse();
        assertThat(selection.admits("delete_")).isFalse();
    }

    @Test
    void whatStandsForNothingIsKnown() {
        assertThat(
                        selection(List.of("a", "b*", "x"), List.of("z?", "c"))
                                .unmatchedBy(List.of("a", "c", "ba")))
                .containsExactly("x", "z?");
    }

    @Test
    @Timeout(10)
    void hostileNameCostsLittle() {
        String name = "a".repeat(100_000);

        assertThat(selection(List.of("*a*a*a*a*a*a*a*b"), List.of()).admits(name)).isFalse();
    }
}
