package dev.orloj.cli.clientfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

@DisplayName("issue 20, item 1: an edit changes the entries and nothing else")
class FileEditTest {

    private static String edit(String name, String text, List<String> path, String... removed) {
        ClientFile file =
                ClientFile.of(
                        name,
                        Optional.empty(),
                        Optional.empty(),
                        text.getBytes(StandardCharsets.UTF_8));
        return FileEdit.apply(
                file,
                new Edit(
                        path,
                        false,
                        Set.of(removed),
                        "orloj",
                        Optional.of(Json.MAPPER.createObjectNode().put("url", "u"))));
    }

    @Test
    void commentsAroundEntriesOfJsonStay() {
        String text =
                """
                { // top
                  "s": {
                    // before a
                    "a": {"command": "a"}, // after a
                    "keep": {"command": "}\\"//"},
                    "b": [1, {"x": "]"}] /* before the comma */ , // after b
                    "c": {} // after c
                  } // end
                }
                """;

        assertThat(edit("x.json", text, List.of("s"), "a", "b", "c"))
                .isEqualTo(
                        """
                        { // top
                          "s": {
                            // before a
                            "orloj": {
                              "url": "u"
                            }, // after a
                            "keep": {"command": "}\\"//"}
                             /* before the comma */  // after b
                             // after c
                          } // end
                        }
                        """);
    }

    @Test
    void markAndLineEndsStay() {
        assertThat(
                        edit(
                                "x.json",
                                "\uFEFF{\r\n\t\"s\": {\r\n\t\t\"a\": {}\r\n\t}\r\n}",
                                List.of("s"),
                                "a"))
                .isEqualTo(
                        "\uFEFF{\r\n"
                                + "\t\"s\": {\r\n"
                                + "\t\t\"orloj\": {\r\n"
                                + "\t\t\t\"url\": \"u\"\r\n"
                                + "\t\t}\r\n"
                                + "\t}\r\n"
                                + "}");
    }

    @Test
    void missingSectionsAreAdded() {
        assertThat(edit("x.json", "", List.of("s"))).contains("\"s\": {", "\"orloj\": {");
        assertThat(edit("x.json", "{\"a\": 1}", List.of("m", "s")))
                .isEqualTo("{\"a\": 1, \"m\": {\"s\": {\"orloj\": {\"url\": \"u\"}}}}");
        assertThat(edit("x.toml", "a = 1", List.of("s")))
                .isEqualTo("a = 1\n\n[s.orloj]\nurl = \"u\"\n");
        assertThat(edit("x.yaml", "a: 1", List.of("s")))
                .isEqualTo("a: 1\ns:\n  orloj:\n    url: u\n");
    }

    @Test
    void multilineTextsOfTomlAreNoTables() {
        String text =
                """
                [s.a]
                t = \"\"\"
                [s.b]
                \"\"\" # end
                args = [
                  "x", # [s.c]
                ]
                [s.keep]
                u = 1
                """;

        assertThat(edit("x.toml", text, List.of("s"), "a"))
                .isEqualTo("[s.orloj]\nurl = \"u\"\n[s.keep]\nu = 1\n");
    }

    @Test
    void blockTextsOfYamlBelongToTheirEntry() {
        String text =
                """
                s:
                  # of a
                  a:
                    script: |
                      # no comment
                      b: no key

                  # of keep
                  keep: {x: 1}
                other: 1
                """;

        assertThat(edit("x.yaml", text, List.of("s"), "a"))
                .isEqualTo(
                        """
                        s:
                          # of a
                          orloj:
                            url: u

                          # of keep
                          keep: {x: 1}
                        other: 1
                        """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x.toml|s = { a = { command = \"a\" } }\n", "x.yaml|s: {a: {b: 1}}\n"})
    void whatCannotBeChangedIsRefused(String line) {
        String[] parts = line.split("\\|");

        assertThatThrownBy(() -> edit(parts[0], parts[1], List.of("s"), "a"))
                .isInstanceOf(ClientFileException.class)
                .hasMessageContaining(parts[0] + " cannot be changed by orlojctl")
                .hasMessageContaining("change it by hand");
    }

    /** Every edit is checked against its meaning, so that this fails where a text is damaged. */
    @Test
    void randomObjectsLoseExactlyTheirEntries() {
        Random random = new Random(20);
        for (int run = 0; run < 500; run++) {
            StringBuilder text = new StringBuilder("{\"s\":{");
            Set<String> removed = new HashSet<>();
            int count = 1 + random.nextInt(6);
            List<String> members = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                if (random.nextBoolean()) {
                    removed.add("k" + i);
                }
                members.add(
                        blank(random)
                                + "\"k"
                                + i
                                + "\""
                                + blank(random)
                                + ":"
                                + blank(random)
                                + "{\"v\":["
                                + i
                                + "]}"
                                + blank(random));
            }
            text.append(String.join(",", members)).append("}}\n");

            String changed =
                    edit("x.json", text.toString(), List.of("s"), removed.toArray(String[]::new));

            for (int i = 0; i < count; i++) {
                assertThat(changed.contains("{\"v\":[" + i + "]}"))
                        .as(text.toString())
                        .isEqualTo(!removed.contains("k" + i));
            }
        }
    }

    private static String blank(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> " ";
            case 1 -> "\n  ";
            case 2 -> "/* , } */";
            case 3 -> " // \" {\n";
            default -> "";
        };
    }
}
