package dev.orloj.cli.jsonpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Compares templates with what kubectl 1.32 printed for them, over the same list. */
@DisplayName("20.3: -o jsonpath prints what kubectl prints")
class KubectlOutputTest {

    private static final JsonNode RECORDED = read();

    private static JsonNode read() {
        try (InputStream in = KubectlOutputTest.class.getResourceAsStream("kubectl.json")) {
            return Json.MAPPER.readTree(in);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<JsonNode> templates() {
        return RECORDED.path("jsonpath").valueStream().toList();
    }

    @ParameterizedTest
    @MethodSource("templates")
    void templateIsRenderedAsByKubectl(JsonNode recorded) {
        String template = recorded.path("template").asString();
        if (recorded.path("output").isNull()) {
            assertThatThrownBy(() -> PathTemplate.parse(template).render(RECORDED.path("document")))
                    .isInstanceOf(PathException.class);
        } else {
            assertThat(PathTemplate.parse(template).render(RECORDED.path("document")))
                    .isEqualTo(recorded.path("output").asString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{.a", "{range .a}", "{end}", "{[}", "{.a[?(@.b]}", "{'a", "{.a[x]}"})
    void malformedTemplatesAreRefused(String template) {
        assertThatThrownBy(() -> PathTemplate.parse(template)).isInstanceOf(PathException.class);
    }

    @Test
    void deepDocumentsAndLongTemplatesHaveABound() {
        assertThatThrownBy(() -> PathTemplate.parse("x".repeat(100_000)))
                .isInstanceOf(PathException.class)
                .hasMessageContaining("longer than 65536");
    }
}
