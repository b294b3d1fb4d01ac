package dev.orloj.server.sse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

@DisplayName("H-24: long events")
class DataLinesTest {

    private static String broken(String json) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DataLines.write(
                json.getBytes(StandardCharsets.UTF_8), "\n".getBytes(StandardCharsets.UTF_8), out);
        return out.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,b", "\\\",\\\\", "\u00e9,\ud83d\ude00", ",\",[]{}"})
    void linesAreShortAndTogetherTheSame(String text) throws IOException {
        ObjectNode result = Json.MAPPER.createObjectNode();
        ArrayNode content = result.putArray("content");
        for (int i = 0; i < 40; i++) {
            content.addObject().put("type", "text").put("text", text.repeat(20_000));
        }
        result.put("isError", false);
        String json = Json.MAPPER.writeValueAsString(result);

        String lines = broken(json);

        assertThat(lines.lines())
                .hasSizeGreaterThan(3)
                .allSatisfy(line -> assertThat(line.length()).isLessThan(1024 * 1024));
        assertThat(lines.replace("\n", "")).isEqualTo(json);
        assertThat(Json.MAPPER.readTree(lines)).isEqualTo(result);
    }

    @Test
    void shortMessageIsOneLine() throws IOException {
        assertThat(broken("{\"a\":1,\"b\":2}")).isEqualTo("{\"a\":1,\"b\":2}");
    }

    @Test
    void textIsNotBroken() throws IOException {
        String json = "{\"a\":\"" + ",".repeat(DataLines.LONG * 3) + "\"}";

        assertThat(broken(json)).isEqualTo(json);
    }
}
