package dev.orloj.api.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.MicroTime;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.SensitiveValues;
import dev.orloj.api.v1.Kinds;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.stream.Stream;

class ViewsTest {

    static Stream<KindDescriptor<?>> views() {
        return Kinds.SCHEME.descriptors().stream().filter(d -> d.view().isPresent());
    }

    private static ObjectNode read(String json) {
        return (ObjectNode) Json.MAPPER.readTree(json);
    }

    /** A document with a text in every field that the schema knows. */
    private static ObjectNode full(KindDescriptor<?> kind) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        fill(document, kind.schema().root());
        return document.put("apiVersion", kind.kind().apiVersion()).put("kind", kind.kind().name());
    }

    private static void fill(ObjectNode object, JsonNode schema) {
        for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
            if (field.getValue().has("properties")) {
                fill(object.putObject(field.getKey()), field.getValue());
            } else {
                object.put(field.getKey(), "value of " + field.getKey());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("views")
    void conversionThereAndBackLosesNothing(KindDescriptor<?> view) {
        ObjectNode row = full(view.stored());
        ObjectNode document = full(view);
        ObjectNode untouched = row.deepCopy();

        ObjectNode shown = view.fromStored(row);

        assertThat(view.toStored(shown)).isEqualTo(row);
        assertThat(view.fromStored(view.toStored(document))).isEqualTo(document);
        assertThat(shown.path("metadata")).isEqualTo(row.path("metadata"));
        assertThat(shown.path("apiVersion").asString()).isEqualTo(view.kind().apiVersion());
        assertThat(row).isEqualTo(untouched);
    }

    @ParameterizedTest
    @MethodSource("views")
    void fieldsToSelectByAreThoseOfTheRow(KindDescriptor<?> view) {
        assertThat(view.stored().selectableFields().values())
                .containsAll(view.selectableFields().values());
        assertThat(view.shard()).isEqualTo(view.stored().shard());
    }

    @ParameterizedTest
    @CsvSource({
        "secret, orloj.dev/v1",
        "secrets, orloj.dev/v1",
        "osec, orloj.dev/v1",
        "ev, v1",
        "events.events.k8s.io, events.k8s.io/v1",
        "cm, v1",
        "lease, coordination.k8s.io/v1"
    })
    void sharedNameMeansTheShapeOfTheRow(String name, String apiVersion) {
        assertThat(Kinds.SCHEME.findName(name).orElseThrow().kind().apiVersion())
                .isEqualTo(apiVersion);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-01T00:00:00Z, 2026-01-01T00:00:00.000000Z",
        "2026-01-01T00:00:00.123456789Z, 2026-01-01T00:00:00.123456Z",
        "2026-01-01T02:00:00.5+02:00, 2026-01-01T00:00:00.500000Z"
    })
    void microTimeHasSixDigits(String given, String written) {
        assertThat(MicroTime.parse(given)).hasToString(written);
    }

    @Test
    void maskHidesTheValuesOfBothShapesAndOfTheLastManifest() {
        ObjectNode secret =
                read(
                        """
                        {"apiVersion": "v1", "kind": "Secret", "data": {"a": "aHVudGVyMg=="},
                         "metadata": {"annotations": {
                           "kubectl.kubernetes.io/last-applied-configuration":
                             "{\\"apiVersion\\":\\"v1\\",\\"stringData\\":{\\"a\\":\\"hunter2\\"}}",
                           "x": "y"}}}\
                        """);

        ObjectNode masked = SensitiveValues.masked(CoreSecret.DESCRIPTOR, secret);

        assertThat(masked.at("/data/a").asString()).isEqualTo("***");
        assertThat(masked.toString())
                .doesNotContain("hunter2")
                .doesNotContain("aHVudGVyMg")
                .contains("last-applied");
        assertThat(secret.at("/data/a").asString()).isEqualTo("aHVudGVyMg==");
    }

    @Test
    void manifestThatCannotBeReadIsLeftOutOfAMaskedDocument() {
        ObjectNode secret =
                read(
                        """
                        {"metadata": {"annotations": {
                           "kubectl.kubernetes.io/last-applied-configuration": "hunter2"}}}\
                        """);

        assertThat(SensitiveValues.masked(Secret.DESCRIPTOR, secret).toString())
                .doesNotContain("hunter2");
    }
}
