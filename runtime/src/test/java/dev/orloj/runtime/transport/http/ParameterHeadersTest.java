package dev.orloj.runtime.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;

class ParameterHeadersTest {

    private static final String REGION = "{'type': 'string', 'x-mcp-header': 'Region'}";

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text.replace('\'', '"'));
    }

    private static JsonNode schema(String properties) {
        return json("{'type': 'object', 'properties': " + properties + "}");
    }

    private static Map<String, String> headers(String properties, String arguments) {
        return ParameterHeaders.of(schema(properties)).of((ObjectNode) json(arguments));
    }

    private static void assertInvalid(String inputSchema, String why) {
        assertThatThrownBy(() -> ParameterHeaders.of(json(inputSchema)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void schemaWithoutAnnotationsMirrorsNothing() {
        assertThat(headers("{'a': {'type': 'string'}}", "{'a': 'x'}")).isEmpty();
    }

    @Test
    void annotatedArgumentsBecomeHeaders() {
        assertThat(
                        headers(
                                "{'r': "
                                        + REGION
                                        + ", 'n': {'type': 'integer', 'x-mcp-header': 'Count'},"
                                        + " 'b': {'type': 'boolean', 'x-mcp-header': 'Dry'},"
                                        + " 'deep': {'properties': {'r': {'type': 'string',"
                                        + " 'x-mcp-header': 'Inner'}}}}",
                                "{'r': 'us-west1', 'n': -7, 'b': true, 'deep': {'r': 'in'}}"))
                .isEqualTo(
                        Map.of(
                                "Mcp-Param-Region",
                                "us-west1",
                                "Mcp-Param-Count",
                                "-7",
                                "Mcp-Param-Dry",
                                "true",
                                "Mcp-Param-Inner",
                                "in"));
    }

    @Test
    void propertyMayBeNullable() {
        String nullable = "{'r': {'type': ['string', 'null'], 'x-mcp-header': 'Region'}}";

        assertThat(headers(nullable, "{'r': 'x'}")).isEqualTo(Map.of("Mcp-Param-Region", "x"));
        assertThat(headers(nullable, "{'r': null}")).isEmpty();
    }

    @Test
    void absentAndNullArgumentsHaveNoHeader() {
        assertThat(headers("{'r': " + REGION + "}", "{}")).isEmpty();
        assertThat(headers("{'r': " + REGION + "}", "{'r': null}")).isEmpty();
    }

    @Test
    void annotationThatIsNotAllowedIsNamed() {
        assertInvalid(
                "{'properties': {'n': {'type': 'number', 'x-mcp-header': 'N'}}}",
                "\"N\" stands at a property that is no integer, string or boolean");
        assertInvalid(
                "{'properties': {'n': {'type': 'string', 'x-mcp-header': 'a b'}}}",
                "\"a b\" is no name of a header");
        assertInvalid(
                "{'properties': {'n': {'type': 'string', 'x-mcp-header': ''}}}",
                "\"\" is no name of a header");
        assertInvalid(
                "{'properties': {'a': {'type': 'string', 'x-mcp-header': 'X'},"
                        + " 'b': {'type': 'string', 'x-mcp-header': 'x'}}}",
                "stands at more than one property");
    }

    @Test
    void annotationThatPropertiesAloneDoNotReachIsRefused() {
        String why = "\"Region\" is not reached by \"properties\" alone";
        assertInvalid(REGION, why);
        assertInvalid("{'properties': {'l': {'items': " + REGION + "}}}", why);
        assertInvalid("{'anyOf': [{'properties': {'r': " + REGION + "}}]}", why);
        assertInvalid("{'$defs': {'r': " + REGION + "}}", why);
    }

    @Test
    void propertyMayBeCalledLikeTheAnnotationOrLikeAKeyword() {
        assertThat(
                        headers(
                                "{'x-mcp-header': {'type': 'string'}, 'items': " + REGION + "}",
                                "{'x-mcp-header': 'a', 'items': 'b'}"))
                .isEqualTo(Map.of("Mcp-Param-Region", "b"));
    }

    @Test
    void valuesThatLookLikeSchemasAreNone() {
        assertThat(
                        headers(
                                "{'a': {'type': 'object', 'default': {'x-mcp-header': 'No'}}}",
                                "{'a': {}}"))
                .isEmpty();
    }
}
