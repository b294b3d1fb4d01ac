package dev.orloj.api.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

class ManifestReaderTest {

    private static final String SERVER =
            """
            apiVersion: orloj.dev/v1
            kind: McpServer
            metadata:
              name: everything
              labels:
                team.example.com/name: tools
            spec:
              transport: stdio
              args:
                - -y
                - "@modelcontextprotocol/server-everything"
            """;

    @Test
    void reportsTheLineOfEachField() {
        Manifest manifest = read(SERVER).getFirst();

        assertThat(manifest.locate("")).isEqualTo("f.yaml, document 1, line 1");
        assertThat(manifest.locate("spec.transport")).isEqualTo("f.yaml, document 1, line 8");
        assertThat(manifest.locate("spec.args[1]")).isEqualTo("f.yaml, document 1, line 11");
    }

    @Test
    void reportsTheLineOfTheNearestEnclosingFieldOfAnAbsentOne() {
        Manifest manifest = read(SERVER).getFirst();

        assertThat(manifest.document().lineOf("spec.reconnect.backoff")).isEqualTo(7);
        assertThat(manifest.document().lineOf("spec.args[7].name")).isEqualTo(9);
        assertThat(manifest.document().lineOf("status")).isEqualTo(1);
    }

    @Test
    void reportsTheLineOfAMapEntryWrittenInBrackets() {
        Manifest manifest = read(SERVER).getFirst();

        assertThat(manifest.document().lineOf("metadata.labels[team.example.com/name]"))
                .isEqualTo(6);
    }

    @Test
    void readsSeveralDocumentsAndLeavesEmptyOnesOut() {
        List<Manifest> manifests =
                read("---\n" + SERVER + "---\n# nothing here\n---\n" + SERVER + "...\n---\n");

        assertThat(manifests).hasSize(2);
        assertThat(manifests.get(1).locate("kind")).isEqualTo("f.yaml, document 2, line 17");
    }

    @Test
    void readsNothingFromAnEmptyFile() {
        assertThat(read("")).isEmpty();
        assertThat(read("# only a comment\n")).isEmpty();
    }

    @Test
    void readsJson() {
        Manifest manifest =
                read("{\"apiVersion\": \"orloj.dev/v1\",\n"
                                + " \"kind\": \"Tool\", \"spec\": {\"a\": 1}}")
                        .getFirst();

        assertThat(manifest.document().root().at("/spec/a").asInt()).isEqualTo(1);
        assertThat(manifest.document().lineOf("kind")).isEqualTo(2);
    }

    @Test
    void unpacksListsAndKeepsTheirLines() {
        List<Manifest> manifests =
                read(
                        """
                        apiVersion: v1
                        kind: List
                        items:
                          - apiVersion: orloj.dev/v1
                            kind: Tool
                            metadata: {name: a}
                          - apiVersion: orloj.dev/v1
                            kind: Tool
                            metadata:
                              name: b
                        """);

        assertThat(manifests).hasSize(2);
        assertThat(manifests.get(1).document().root().at("/metadata/name").asString())
                .isEqualTo("b");
        assertThat(manifests.get(1).document().lineOf("metadata.name")).isEqualTo(10);
    }

    @Test
    void unpacksTheListThatAServerAnswersWith() {
        assertThat(
                        read(
                                """
                                {"apiVersion": "orloj.dev/v1", "kind": "ToolList", "items": [
                                  {"apiVersion": "orloj.dev/v1", "kind": "Tool"}]}
                                """))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`a: 1\n"
                    + "kind: Tool\n"
                    + "a: 2\n"
                    + "apiVersion: v1` | `f.yaml, document 1, line 3: field \"a\" is given twice`",
                "`apiVersion: v1\nspec: {}` | `f.yaml, document 1, line 1: \"kind\" is missing`",
                "`kind: Tool` | `f.yaml, document 1, line 1: \"apiVersion\" is missing`",
                "`apiVersion: v1\n"
                        + "kind: List\n"
                        + "items:\n"
                        + "- 7` | `f.yaml, document 1, line 4: \"items[0]\" is no object`",
                "`x: &a 1\ny: *a` | `f.yaml, line 2: an alias is not supported`",
                "`x:\n  <<: {a: 1}` | `f.yaml, line 2: merge key \"<<\" at \"x\" is not supported`",
                "`- a\n- b` | `f.yaml, line 1: expected an object, found a list`",
                "`just text` | `f.yaml, line 1: expected an object, found text`",
                "`a: .nan` | `f.yaml, line 1: \".nan\" at \"a\" is not a JSON number`",
                "`a: [1, 2` | `f.yaml, line`",
                "`a: 1\n\tb: 2` | `f.yaml, line 2`",
                "`{\"a\": 1,,}` | `f.yaml, line 1`",
            })
    void saysWhereAndWhyItCannotRead(String text, String start) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ManifestException.class)
                .hasMessageStartingWith(start)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void refusesDeepNesting() {
        for (String text : List.of("[".repeat(100_000), "{a: ".repeat(100_000))) {
            assertThatThrownBy(() -> read("a: " + text))
                    .isInstanceOf(ManifestException.class)
                    .hasMessageStartingWith("f.yaml, line 1");
        }
    }

    @Test
    void keepsTextsThatOtherParsersTakeForBooleansOrNumbers() {
        Document document =
                DocumentReader.readYaml(
                        "a: yes\nb: off\nc: 0644\nd: ~\ne: 2s\n".getBytes(StandardCharsets.UTF_8));

        assertThat(document.root().get("a").asString()).isEqualTo("yes");
        assertThat(document.root().get("b").asString()).isEqualTo("off");
        assertThat(document.root().get("e").asString()).isEqualTo("2s");
    }

    @Test
    void readsTheSameNodesAsTheMapper() {
        String json =
                """
                {"a": [1, -1, 2147483648, 9007199254740993, 12345678901234567890123],
                 "b": [1.0, 1e2, 0.1234567890123456789012345, 1e400, -0.0],
                 "c": [true, false, null, "", "\\u0000"], "d": {}}
                """;
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);

        assertThat(DocumentReader.readJson(bytes).root()).isEqualTo(Json.MAPPER.readTree(bytes));
    }

    @Test
    void answersAnyBrokenManifestWithALineAndNothingElse() {
        long seed = 20_261_120;
        Random random = new Random(seed);
        byte[] good = SERVER.getBytes(StandardCharsets.UTF_8);
        String alphabet = "{}[]:,-&*!|>'\"%@`#?\n\t \0\u00e9a1<~.";
        for (int round = 0; round < 3_000; round++) {
            byte[] bytes = good.clone();
            for (int i = 0; i < 1 + random.nextInt(8); i++) {
                bytes[random.nextInt(bytes.length)] =
                        (byte) alphabet.charAt(random.nextInt(alphabet.length()));
            }
            try {
                TestManifests.read("f.yaml", bytes);
            } catch (ManifestException e) {
                assertThat(e.getMessage())
                        .as("seed %d, round %d", seed, round)
                        .matches("f\\.yaml, (document \\d+, )?line \\d+: [^\n]+");
            }
        }
    }

    private static List<Manifest> read(String text) {
        return TestManifests.read("f.yaml", text.getBytes(StandardCharsets.UTF_8));
    }
}
