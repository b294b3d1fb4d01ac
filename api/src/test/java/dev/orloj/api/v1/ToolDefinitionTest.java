package dev.orloj.api.v1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;

class ToolDefinitionTest {

    private static final List<String> FIELDS =
            List.of(
                    "title",
                    "description",
                    "inputSchema",
                    "outputSchema",
                    "annotations",
                    "icons",
                    "_meta",
                    "execution",
                    "x-unknown",
                    "spec",
                    "extra");

    /** Through the record, the stored bytes and the schema, and back. */
    @Test
    void everyDefinitionComesBackAsItWas() {
        long seed = 25_112_025;
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            ObjectNode definition = Json.MAPPER.createObjectNode();
            definition.put("name", "tool_" + round);
            for (String field : FIELDS) {
                if (random.nextBoolean()) {
                    definition.set(field, randomValue(random, 3));
                }
            }
            // As it arrives: read from bytes.
            ObjectNode received = (ObjectNode) Json.MAPPER.readTree(definition.toString());

            assertThat(throughTheStore(received))
                    .as("seed %d, round %d: %s", seed, round, received)
                    .isEqualTo(received);
        }
    }

    @Test
    void wrongTypesAndNullsAreKeptAside() {
        ObjectNode definition =
                (ObjectNode)
                        Json.MAPPER.readTree(
                                """
                                {"name": "x", "title": 7, "description": null, "inputSchema": [],
                                 "icons": {}, "annotations": "no"}
                                """);

        Tool.Spec spec = Tool.Spec.of("s", "s__x", definition);

        assertThat(spec.definition().title()).isNull();
        assertThat(spec.definition().inputSchema()).isNull();
        assertThat(spec.definition().extra()).isNotNull();
        assertThat(throughTheStore(definition)).isEqualTo(definition);
    }

    @Test
    void theReceivedDefinitionIsNotTouched() {
        ObjectNode definition =
                (ObjectNode) Json.MAPPER.readTree("{\"name\":\"x\",\"title\":\"t\"}");

        Tool.Spec.of("s", "s__x", definition);

        assertThat(definition.has("name")).isTrue();
        assertThat(definition.has("title")).isTrue();
    }

    private static ObjectNode throughTheStore(ObjectNode definition) {
        Tool tool =
                Tool.of(ObjectMeta.of("default", "s--x"), Tool.Spec.of("s", "s__x", definition));
        ObjectNode document =
                (ObjectNode) Json.MAPPER.readTree(ResourceCodec.toDocument(tool).toString());
        assertThat(Tool.DESCRIPTOR.schema().prune(document)).isEmpty();
        assertThat(Tool.DESCRIPTOR.schema().validate(document)).isEmpty();
        return ResourceCodec.fromDocument(Tool.KIND, document).spec().listed();
    }

    private static JsonNode randomValue(Random random, int depth) {
        var nodes = Json.MAPPER.getNodeFactory();
        return switch (random.nextInt(depth > 0 ? 12 : 8)) {
            case 0 -> nodes.nullNode();
            case 1 -> nodes.booleanNode(random.nextBoolean());
            case 2 -> nodes.numberNode(random.nextInt());
            case 3 -> nodes.numberNode(9_007_199_254_740_993L + random.nextInt(100));
            case 4 -> nodes.numberNode(new BigInteger(120, random));
            case 5 -> nodes.numberNode(new BigDecimal(new BigInteger(90, random), 25));
            case 6 -> nodes.numberNode(new BigDecimal("1E+400"));
            case 7 ->
                    nodes.stringNode(
                            List.of("", "text", "\u0000\ud83d\ude00\"\\").get(random.nextInt(3)));
            case 8, 9 -> {
                ArrayNode array = nodes.arrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(randomValue(random, depth - 1));
                }
                yield array;
            }
            default -> {
                ObjectNode object = nodes.objectNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    object.set("k" + i, randomValue(random, depth - 1));
                }
                yield object;
            }
        };
    }
}
