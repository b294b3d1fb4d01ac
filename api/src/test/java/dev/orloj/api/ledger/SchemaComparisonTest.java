package dev.orloj.api.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.util.List;

class SchemaComparisonTest {

    private static JsonNode schema(String json) {
        return json.equals("-") ? Json.MAPPER.missingNode() : Json.MAPPER.readTree(json);
    }

    private static String levels(List<SchemaChange> changes) {
        return String.join(
                " ", changes.stream().map(change -> change.level().name().charAt(0) + "").toList());
    }

    /** Each row has two schemas, and what their difference is for inputs and for outputs. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|{}||",
                "{\"title\":\"a\",\"default\":1}|{\"title\":\"b\"}||",
                "{\"type\":\"object\"}|{\"type\":\"object\",\"properties\":{\"a\":{}}}|C|C",
                "{\"additionalProperties\":false}|{\"additionalProperties\":false,\"properties\":{\"a\":{}}}|C|B",
                "{\"properties\":{\"a\":{}}}|{\"properties\":{}}|N|B",
                "{\"properties\":{\"a\":{}},\"additionalProperties\":false}|{\"additionalProperties\":false}|B|B",
                "{}|{\"required\":[\"a\"]}|B|C",
                "{\"required\":[\"a\"]}|{\"required\":[]}|C|B",
                "{\"required\":[\"a\"]}|{\"required\":[\"b\"]}|B C|C B",
                "{\"enum\":[1,2]}|{\"enum\":[1,2,3]}|C|B",
                "{\"enum\":[1,2]}|{\"enum\":[1.0]}|B|C",
                "{\"type\":\"integer\"}|{\"type\":\"number\"}|C|B",
                "{\"type\":[\"string\",\"null\"]}|{\"type\":\"string\"}|B|C",
                "{}|{\"type\":\"string\"}|B|C",
                "{\"maximum\":9007199254740993}|{\"maximum\":9007199254740992}|B|C",
                "{\"minimum\":2}|{\"minimum\":1}|C|B",
                "{\"minimum\":2}|{}|C|B",
                "{\"maxLength\":2}|{\"maxLength\":3}|C|B",
                "{\"maximum\":1}|{\"maximum\":1.0}||",
                "{}|{\"pattern\":\"a\"}|B|C",
                "{\"pattern\":\"a\"}|{\"pattern\":\"b\"}|B|B",
                "{}|{\"additionalProperties\":false}|N|C",
                "{\"additionalProperties\":false}|{}|C|B",
                "{\"items\":{\"type\":\"string\"}}|{\"items\":{\"type\":\"string\",\"minLength\":1}}|B|C",
                "{\"properties\":{\"a\":{\"type\":\"string\"}}}|{\"properties\":{\"a\":{\"type\":\"integer\"}}}|B"
                    + " C|C B",
                "{\"anyOf\":[{}]}|{\"anyOf\":[{},{}]}|B|B",
                "-|{\"type\":\"object\"}|B|C",
                "{\"type\":\"object\"}|-|C|B",
                "-|{}||"
            })
    void differencesAreClassed(String before, String after, String inputs, String outputs) {
        assertThat(levels(SchemaComparison.ofInputs(schema(before), schema(after))))
                .isEqualTo(inputs == null ? "" : inputs);
        assertThat(levels(SchemaComparison.ofOutputs(schema(before), schema(after))))
                .isEqualTo(outputs == null ? "" : outputs);
    }
}
