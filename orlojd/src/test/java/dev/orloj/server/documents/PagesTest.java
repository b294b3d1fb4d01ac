package dev.orloj.server.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What counts as a command of a page, and that each is run or marked. */
class PagesTest {

    @DisplayName("O-10: each block of commands of a page is run, or marked with a reason")
    @ParameterizedTest
    @MethodSource("dev.orloj.server.documents.Pages#names")
    void eachBlockIsRunOrMarked(String name) {
        assertThat(Pages.read(name)).isNotNull();
    }

    @DisplayName("O-10: each page is in the navigation of the site")
    @Test
    void eachPageIsInTheNavigation() throws Exception {
        Path site = Pages.ROOT.resolve("deploy/site/mkdocs.yml");
        String navigation = Files.readString(site);

        assertThat(Pages.names().filter(name -> name.startsWith("docs/")))
                .allSatisfy(
                        name ->
                                assertThat(navigation)
                                        .contains(": " + name.substring("docs/".length()) + "\n"));
    }

    @Test
    void commandsHaveTheOutputBelowThem() {
        Page page =
                page(
                        """
                        ```console
                        $ orlojctl get mcp
                        NAME

                        files
                        $ echo 'a
                        b'
                        ```
                        """);

        assertThat(page.steps())
                .containsExactly(
                        new Step.Run(2, "orlojctl get mcp", List.of("NAME", "files")),
                        new Step.Run(6, "echo 'a\nb'", List.of()));
    }

    @Test
    void commandGoesOnUntilTheShellHasAllOfIt() {
        Page page =
                page(
                        """
                        ```sh
                        # a comment
                        cat <<END |
                        one
                        END
                          tr a \\
                          b
                        ls
                        ```
                        """);

        assertThat(page.steps())
                .containsExactly(
                        new Step.Run(3, "cat <<END |\none\nEND\n  tr a \\\n  b", List.of()),
                        new Step.Run(8, "ls", List.of()));
    }

    @Test
    void titledBlockIsAFile() {
        assertThat(page("```yaml title=\"a.yaml\"\nkind: Tool\n```\n").steps())
                .containsExactly(new Step.Save(1, "a.yaml", "kind: Tool\n"));
    }

    @Test
    void commentsSayWhatReadersNeedNotSee() {
        Page page =
                page(
                        """
                        <!-- run: mkdir notes -->
                        <!-- stands for: mcp/x = orloj-test/x -->
                        <!-- not run: needs another host -->

                        ```sh
                        systemctl status
                        ```

                        ```
                        an output
                        ```
                        """);

        assertThat(page.steps()).containsExactly(new Step.Run(1, "mkdir notes", List.of()));
        assertThat(page.standIns()).containsEntry("mcp/x", "orloj-test/x");
        assertThat(page.ran()).isZero();
        assertThat(page.leftOut()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "```bash\nls\n```",
                "```\n$ ls\n```",
                "```console\nls\n```",
                "```console\n$ echo 'a\n```",
                "```sh\nls",
                "<!-- not run: because -->\nText\n",
            })
    void blockThatIsNotUnderstoodIsNamed(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> page(text))
                .withMessageMatching("page.md, line \\d: .+");
    }

    @Test
    void volatileTextCountsAsEqual() {
        assertThat(
                        Output.matches(
                                List.of("NAME   AGE", "a      3s", "uid: ..."),
                                List.of("NAME AGE", "a    1m20s", "", "uid: 7")))
                .isTrue();
        assertThat(
                        Output.matches(
                                List.of("at 2026-01-01T00:00:00Z"),
                                List.of("at 2027-02-02T01:02:03.4Z")))
                .isTrue();
        assertThat(Output.matches(List.of("3 Ready"), List.of("2 Ready"))).isFalse();
    }

    @Test
    void ellipsisStandsForLines() {
        List<String> seen = List.of("a", "b", "c");

        assertThat(Output.matches(List.of("...", "c"), seen)).isTrue();
        assertThat(Output.matches(List.of("a", "b", "c", "..."), seen)).isTrue();
        assertThat(Output.matches(List.of("a", "...", "b"), seen)).isFalse();
        assertThat(Output.matches(List.of("a"), seen)).isFalse();
    }

    private static Page page(String text) {
        return Page.read("page.md", text.lines().toList());
    }
}
