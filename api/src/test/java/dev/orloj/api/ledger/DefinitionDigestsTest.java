package dev.orloj.api.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.Tool;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.TreeSet;

class DefinitionDigestsTest {

    private static final String DEFINITION =
            """
            {"name": "search", "title": "Search", "description": "Searches.",
             "inputSchema": {"type": "object", "title": "In", "properties": {
               "description": {"type": "string", "description": "What", "default": "x"},
               "kind": {"enum": ["a", "b"]},
               "list": {"items": {"type": "integer", "maximum": 9007199254740993}}}},
             "outputSchema": {"type": "object"},
             "annotations": {"readOnlyHint": true},
             "icons": [{"src": "https://example.com/i.png"}], "_meta": {"a": 1},
             "execution": {"taskSupport": "optional"}}
            """;

    private static ObjectNode definition(String json) {
        return (ObjectNode) Json.MAPPER.readTree(json);
    }

    /** Each row replaces a text of the definition, and names the parts that change. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"search\"|\"find\"|schema",
                "\"Search\"|\"Find\"|text",
                "Searches.|Searches, and more.|text",
                "\"title\": \"In\"|\"title\": \"Out\"|text",
                "\"What\"|\"Whatever\"|text",
                "\"default\": \"x\"|\"default\": \"y\"|text",
                "[\"a\", \"b\"]|[\"a\", \"c\"]|schema text",
                "\"description\": {\"type\"|\"text\": {\"type\"|schema text",
                "9007199254740993|9007199254740992|schema",
                "true|false|annotations",
                "i.png|j.png|presentation",
                "\"a\": 1|\"a\": 2|presentation",
                "optional|required|schema"
            })
    void changeShowsInItsParts(String old, String replacement, String parts) {
        assertThat(DEFINITION).contains(old);
        DefinitionDigests before = DefinitionDigests.of(definition(DEFINITION));
        DefinitionDigests after =
                DefinitionDigests.of(definition(DEFINITION.replace(old, replacement)));
        assertThat(after.whole()).isNotEqualTo(before.whole());
        TreeSet<String> changed = new TreeSet<>();
        for (Map.Entry<String, String> part : before.parts().entrySet()) {
            if (!part.getValue().equals(after.parts().get(part.getKey()))) {
                changed.add(part.getKey());
            }
        }
        assertThat(String.join(" ", changed)).isEqualTo(parts);
    }

    @Test
    void orderAndSpellingOfNumbersChangeNothing() {
        assertThat(
                        DefinitionDigests.of(
                                definition("{\"name\":\"a\",\"_meta\":{\"n\":1e2,\"m\":1}}")))
                .isEqualTo(
                        DefinitionDigests.of(
                                definition("{\"_meta\":{\"m\":1.0,\"n\":100},\"name\":\"a\"}")));
    }

    @Test
    void absentAnnotationsAreNone() {
        assertThat(DefinitionDigests.of(definition("{\"name\":\"a\"}")).annotations())
                .isEqualTo(
                        DefinitionDigests.of(definition("{\"name\":\"a\",\"annotations\":{}}"))
                                .annotations());
    }

    @Test
    void nameAndTitleDoNotMatterForARename() {
        assertThat(DefinitionDigests.ofNameless(definition(DEFINITION)))
                .isEqualTo(
                        DefinitionDigests.ofNameless(
                                definition(
                                        DEFINITION
                                                .replace("\"search\"", "\"find\"")
                                                .replace("\"Search\"", "\"Find\""))))
                .isNotEqualTo(
                        DefinitionDigests.ofNameless(
                                definition(DEFINITION.replace("Searches", "Finds"))));
    }

    @Test
    void documentOfAToolHasTheDefinitionThatItsServerListed() {
        ObjectNode listed = definition(DEFINITION);
        listed.put("inputs", 1).set("outputSchema", Json.MAPPER.createArrayNode());
        ObjectMeta metadata =
                ObjectMeta.of("default", "s--search")
                        .withLabels(Map.of(Tool.SERVER_LABEL, "s", Tool.GENERATED_LABEL, "true"));
        Tool tool = Tool.of(metadata, Tool.Spec.of("s", "s__search", listed));
        GeneratedTool generated =
                GeneratedTool.of(Json.MAPPER.<JsonNode>valueToTree(tool)).orElseThrow();
        assertThat(generated.definition()).isEqualTo(tool.spec().listed()).isEqualTo(listed);
        assertThat(generated.server()).isEqualTo("s");
        assertThat(generated.tool()).isEqualTo("search");
    }

    @Test
    void declaredToolsBelongToNoLedger() {
        Tool tool =
                Tool.of(
                        ObjectMeta.of("default", "t"),
                        Tool.Spec.of("s", "t", definition("{\"name\":\"t\"}")));
        assertThat(GeneratedTool.of(Json.MAPPER.<JsonNode>valueToTree(tool))).isEmpty();
    }
}
