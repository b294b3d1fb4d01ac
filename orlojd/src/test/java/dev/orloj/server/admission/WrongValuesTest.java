package dev.orloj.server.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.DocumentReader;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.MalformedDocumentException;
import dev.orloj.api.v1.Kinds;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** H-15: a wrong value in any field of any kind is refused in words of the API. */
class WrongValuesTest {

    private static final Pattern JAVA =
            Pattern.compile(
                    "dev\\.orloj|java\\.|tools\\.jackson|Exception|Cannot"
                            + " deserialize|POJO|`|through reference");

    private static final List<String> VALUES =
            List.of(
                    "\"Py\"",
                    "\"\"",
                    "\"" + "9".repeat(60) + "h\"",
                    "\"+999999999-12-31T23:59:59Z\"",
                    "\"2026-01-01T00:00Z\"",
                    "\"2026-13-01T00:00:00Z\"",
                    "\"\\u0000\"",
                    "99999999999",
                    "99999999999999999999999",
                    "-1",
                    "-99999999999",
                    "1.5",
                    "1e400",
                    "true",
                    "null",
                    "[]",
                    "[null]",
                    "[[]]",
                    "[1]",
                    "{}",
                    "{\"a\": null}",
                    "{\"a\": 1}",
                    "{\"a\": {\"b\": [1]}}");

    private final Admission admission = new Admission(List.of());

    static Stream<KindDescriptor<?>> kinds() {
        return Kinds.SCHEME.descriptors().stream();
    }

    private static void places(
            JsonNode schema,
            Function<JsonNode, ObjectNode> document,
            List<Function<JsonNode, ObjectNode>> found) {
        found.add(document);
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            places(
                    property.getValue(),
                    value -> document.apply(object(property.getKey(), value)),
                    found);
        }
        if (schema.has("items")) {
            places(schema.path("items"), value -> document.apply(array(value)), found);
        }
        if (schema.path("additionalProperties").isObject()) {
            places(
                    schema.path("additionalProperties"),
                    value -> document.apply(object("key", value)),
                    found);
        }
    }

    private static ObjectNode object(String name, JsonNode value) {
        ObjectNode object = Json.MAPPER.createObjectNode();
        object.set(name, value);
        return object;
    }

    private static ArrayNode array(JsonNode value) {
        return Json.MAPPER.createArrayNode().add(value);
    }

    private void write(KindDescriptor<?> kind, ObjectNode document) {
        Document received = new Document(document, List.of(), Map.of());
        ObjectNode proposed = admission.receive(kind, received, FieldValidation.STRICT).document();
        if (!proposed.path("metadata").has("name")) {
            proposed.withObject("/metadata").put("name", "a");
        }
        admission.admit(kind, proposed, Optional.empty(), Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void isRefusedWithoutAWordOfJava(KindDescriptor<?> kind) {
        List<Function<JsonNode, ObjectNode>> places = new ArrayList<>();
        JsonNode schema = kind.schema().root();
        for (String field : schema.path("properties").propertyNames()) {
            places(schema.path("properties").path(field), value -> object(field, value), places);
        }
        for (Function<JsonNode, ObjectNode> place : places) {
            for (String value : VALUES) {
                ObjectNode document = place.apply(Json.MAPPER.readTree(value));
                String sent = document.toString();
                try {
                    write(kind, document);
                } catch (ApiException e) {
                    assertThat(e.reason())
                            .as(sent)
                            .isIn(ErrorReason.INVALID, ErrorReason.BAD_REQUEST);
                    assertThat(e.getMessage()).as(sent).doesNotContainPattern(JAVA);
                    assertThat(e.getMessage()).as(sent).doesNotContain("does not fit");
                } catch (RuntimeException e) {
                    throw new AssertionError(kind.kind() + " " + sent, e);
                }
            }
        }
        assertThat(places).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"a\": }",
                "{\"a\": tru}",
                "{\"a\": 01}",
                "{\"a\": \"\\x\"}",
                "{\"a\" 1}",
                "{\"a\": \"\n\"}",
                "[1]",
                "{} {}",
                "{\"a\": NaN}",
                "\u0000"
            })
    void whatIsNoJsonIsRefusedWithoutAWordOfJava(String text) {
        requireCleanText(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"depth", "number", "name", "text"})
    void whatIsTooLargeIsRefusedWithoutAWordOfJava(String what) {
        requireCleanText(
                switch (what) {
                    case "depth" -> "{\"a\":".repeat(300) + "1" + "}".repeat(300);
                    case "number" -> "{\"a\": " + "1".repeat(2_000) + "}";
                    case "name" -> "{\"" + "a".repeat(100_000) + "\": 1}";
                    default -> "{\"a\": \"" + "a".repeat(100_000);
                });
    }

    private static void requireCleanText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (Function<byte[], Document> reader :
                List.<Function<byte[], Document>>of(
                        DocumentReader::readJson, DocumentReader::readYaml)) {
            assertThatCode(
                            () -> {
                                try {
                                    reader.apply(bytes);
                                } catch (MalformedDocumentException e) {
                                    assertThat(e.getMessage()).doesNotContainPattern(JAVA);
                                }
                            })
                    .doesNotThrowAnyException();
        }
    }
}
