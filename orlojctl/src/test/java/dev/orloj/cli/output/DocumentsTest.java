package dev.orloj.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.DocumentReader;
import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

class DocumentsTest {

    /** Texts that a careless writer of YAML leaves without the quotes they need. */
    private static final List<String> TRAPS =
            List.of(
                    "",
                    " ",
                    "a",
                    "1",
                    "01",
                    "0x1F",
                    "1.5",
                    "1e3",
                    "true",
                    "yes",
                    "null",
                    "~",
                    "-",
                    "- a",
                    "a: b",
                    "a #b",
                    "#a",
                    "*a",
                    "&a",
                    "!a",
                    "%a",
                    "@a",
                    "`a",
                    "'a'",
                    "\"a\"",
                    "a\nb",
                    "a\n",
                    "\na",
                    "a\n\n",
                    " a\n b",
                    "a\tb",
                    "\u0000",
                    "\u001b[2J",
                    "\u0085",
                    "\u2028",
                    "\ud83d\ude00",
                    "é",
                    "{a}",
                    "[a]",
                    "2026-01-01",
                    "12:30",
                    "<<",
                    "=",
                    ".inf",
                    "---",
                    "...",
                    "a,b",
                    "? a",
                    "| a",
                    "> a",
                    "a ",
                    "x".repeat(300));

    @Test
    void whoOwnsWhichFieldIsLeftOut() {
        ObjectNode document = Json.MAPPER.createObjectNode().put("kind", "Tool");
        document.withObject("/metadata").put("name", "a").putArray("managedFields").addObject();

        assertThat(Documents.toYaml(Documents.withoutOwners(document)))
                .contains("name: a")
                .doesNotContain("managedFields");
        assertThat(Documents.toYaml(document)).contains("managedFields");
        assertThat(document.at("/metadata/managedFields").isArray()).isTrue();
    }

    @Test
    void everythingWrittenAsYamlIsReadBackTheSame() {
        long seed = 4_711;
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            ObjectNode document = Json.MAPPER.createObjectNode();
            for (int i = 0; i < 8; i++) {
                String text = TRAPS.get(random.nextInt(TRAPS.size()));
                String key = "k" + i;
                switch (random.nextInt(4)) {
                    case 0 -> document.put(key, text);
                    case 1 -> document.putArray(key).add(text).add(text);
                    case 2 -> document.putObject(key).put("inner", text);
                    default -> document.putObject(key).put(text.strip() + "x" + i, text);
                }
            }
            String yaml = Documents.toYaml(document);

            assertThat(DocumentReader.readYaml(yaml.getBytes(StandardCharsets.UTF_8)).root())
                    .as("seed %d, round %d:%n%s", seed, round, yaml)
                    .isEqualTo(document);
        }
    }

    @Test
    void keysComeInTheOrderThatPeopleExpect() {
        ObjectNode document =
                (ObjectNode)
                        Json.MAPPER.readTree(
                                "{\"status\": {}, \"spec\": {\"b\": 1, \"a\": 2}, \"other\": 1,"
                                        + " \"kind\": \"Tool\", \"metadata\": {}, \"apiVersion\":"
                                        + " \"v\"}");

        assertThat(Documents.toYaml(document))
                .isEqualTo(
                        """
                        apiVersion: v
                        kind: Tool
                        metadata: {}
                        spec:
                          b: 1
                          a: 2
                        status: {}
                        other: 1
                        """);
    }

    @Test
    void numbersKeepEveryDigit() {
        String json = "{\"a\":0.10,\"b\":12345678901234567890123,\"c\":1E+400}";
        ObjectNode document = (ObjectNode) Json.MAPPER.readTree(json);

        assertThat(Documents.toYaml(document))
                .isEqualTo("a: 0.10\nb: 12345678901234567890123\nc: 1E+400\n");
        assertThat(Json.MAPPER.readTree(Documents.toJson(document))).isEqualTo(document);
    }
}
