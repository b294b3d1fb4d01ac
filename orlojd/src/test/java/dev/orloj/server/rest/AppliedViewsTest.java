package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.HttpProbe.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;

/** H-05: who owns a field owns it in every view of the rows of a kind. */
@Timeout(60)
class AppliedViewsTest {

    private static final String APPLY = "application/apply-patch+yaml";

    private final HttpProbe http = RestServer.shared().probe();
    private final String namespace = RestServer.shared().freshNamespace();

    /** Both shapes of a Secret. */
    enum Shape {
        CORE("v1", "/api/v1/namespaces/%s/secrets"),
        OWN("orloj.dev/v1", "/apis/orloj.dev/v1/namespaces/%s/secrets");

        private final String apiVersion;
        private final String path;

        Shape(String apiVersion, String path) {
            this.apiVersion = apiVersion;
            this.path = path;
        }

        Shape other() {
            return this == CORE ? OWN : CORE;
        }

        ObjectNode document(Map<String, String> data) {
            ObjectNode document = Json.MAPPER.createObjectNode();
            document.put("apiVersion", apiVersion).put("kind", "Secret");
            document.putObject("metadata").put("name", "s");
            ObjectNode place = this == CORE ? document : document.putObject("spec");
            place.set("data", Json.MAPPER.valueToTree(data));
            return document;
        }
    }

    private String path(Shape shape) {
        return shape.path.formatted(namespace) + "/s";
    }

    private Answer apply(Shape shape, String query, Map<String, String> data) {
        return http.send(
                "PATCH",
                path(shape) + "?fieldManager=" + query,
                shape.document(data).toString(),
                "Content-Type",
                APPLY);
    }

    private JsonNode data() {
        return http.get(path(Shape.CORE)).json().path("data");
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text);
    }

    @ParameterizedTest
    @EnumSource
    void whatTheOtherViewOwnsConflicts(Shape shape) {
        apply(shape, "a", Map.of("a", "MQ=="));

        Answer refused = apply(shape.other(), "b", Map.of("a", "Mg=="));

        String field = shape == Shape.CORE ? ".spec.data.a" : ".data.a";
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.at("/details/causes/0/field")).isEqualTo(field);
        assertThat(refused.at("/message")).contains("conflict with \"a\": " + field);
        assertThat(data()).isEqualTo(json("{\"a\": \"MQ==\"}"));
    }

    @ParameterizedTest
    @EnumSource
    void whatWasTakenOverThroughTheOtherViewStays(Shape shape) {
        apply(shape, "a", Map.of("a", "MQ=="));
        Answer taken = apply(shape.other(), "b&force=true", Map.of("a", "Mg=="));
        Answer without = apply(shape, "a", Map.of("b", "Mw=="));

        assertThat(taken.code()).isEqualTo(200);
        assertThat(without.code()).isEqualTo(200);
        assertThat(data()).isEqualTo(json("{\"a\": \"Mg==\", \"b\": \"Mw==\"}"));
    }

    @ParameterizedTest
    @EnumSource
    void whatBothAppliedStaysUntilBothLetItGo(Shape shape) {
        apply(shape, "a", Map.of("a", "MQ==", "x", "eA=="));
        apply(shape.other(), "b", Map.of("a", "MQ==", "y", "eQ=="));

        apply(shape, "a", Map.of("x", "eA=="));
        JsonNode once = data();
        apply(shape.other(), "b", Map.of("y", "eQ=="));

        assertThat(once.has("a")).isTrue();
        assertThat(data()).isEqualTo(json("{\"x\": \"eA==\", \"y\": \"eQ==\"}"));
    }

    @ParameterizedTest
    @EnumSource
    void whatAnUpdateChangesThroughTheOtherViewIsTheUpdaters(Shape shape) {
        apply(shape, "a", Map.of("a", "MQ=="));
        ObjectNode patch = shape.other().document(Map.of("a", "Mg=="));
        http.send(
                "PATCH",
                path(shape.other()) + "?fieldManager=updater",
                patch.toString(),
                "Content-Type",
                "application/merge-patch+json");

        Answer conflict = apply(shape, "a", Map.of("a", "MQ=="));
        Answer without = apply(shape, "a", Map.of("b", "Mw=="));

        assertThat(conflict.code()).isEqualTo(409);
        assertThat(conflict.at("/message"))
                .contains("\"updater\" using " + shape.other().apiVersion);
        assertThat(without.code()).isEqualTo(200);
        assertThat(data().path("a").asString()).isEqualTo("Mg==");
    }

    @ParameterizedTest
    @EnumSource
    void whoAppliesInTheOtherShapeIsTheSameOwner(Shape shape) {
        apply(shape, "a", Map.of("a", "MQ==", "b", "Mg=="));

        Answer again = apply(shape.other(), "a", Map.of("b", "Mw=="));

        assertThat(again.code()).isEqualTo(200);
        assertThat(data()).isEqualTo(json("{\"b\": \"Mw==\"}"));
        assertThat(again.json().at("/metadata/managedFields")).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void applyingTheSameThroughTheOtherViewIsNoWriteTheSecondTime(Shape shape) {
        apply(shape, "a", Map.of("a", "MQ=="));
        apply(shape.other(), "b", Map.of("a", "MQ=="));
        String before = http.get(path(shape)).at("/metadata/resourceVersion");

        apply(shape, "a", Map.of("a", "MQ=="));
        apply(shape.other(), "b", Map.of("a", "MQ=="));

        assertThat(http.get(path(shape)).at("/metadata/resourceVersion")).isEqualTo(before);
    }

    @Test
    void labelsAreOwnedAcrossViewsAsWell() {
        apply(Shape.CORE, "a", Map.of());
        for (Shape shape : List.of(Shape.CORE, Shape.OWN)) {
            ObjectNode labelled = shape.document(Map.of());
            labelled.withObject("/metadata/labels").put("x", shape.name());
            Answer applied =
                    http.send(
                            "PATCH",
                            path(shape) + "?fieldManager=" + shape.name(),
                            labelled.toString(),
                            "Content-Type",
                            APPLY);
            assertThat(applied.code()).isEqualTo(shape == Shape.CORE ? 200 : 409);
        }
    }

    @Test
    void eventsAreOwnedAcrossTheirViews() {
        String core = "/api/v1/namespaces/%s/events/e".formatted(namespace);
        String other = "/apis/events.k8s.io/v1/namespaces/%s/events/e".formatted(namespace);
        String about = "{kind: Tool, namespace: %s, name: t}".formatted(namespace);
        Answer created =
                http.send(
                        "PATCH",
                        core + "?fieldManager=a",
                        "{apiVersion: v1, kind: Event, metadata: {name: e}, involvedObject: %s, message: one, count: 1}"
                                .formatted(about),
                        "Content-Type",
                        APPLY);
        String note = "{apiVersion: events.k8s.io/v1, kind: Event, metadata: {name: e}, note: two}";
        Answer refused = http.send("PATCH", other + "?fieldManager=b", note, "Content-Type", APPLY);
        Answer taken =
                http.send(
                        "PATCH", other + "?fieldManager=b&force=true", note, "Content-Type", APPLY);
        Answer left =
                http.send(
                        "PATCH",
                        core + "?fieldManager=a",
                        "{apiVersion: v1, kind: Event, metadata: {name: e}, involvedObject: %s}"
                                .formatted(about),
                        "Content-Type",
                        APPLY);

        assertThat(created.code()).isEqualTo(201);
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.at("/details/causes/0/field")).isEqualTo(".note");
        assertThat(taken.code()).isEqualTo(200);
        assertThat(left.at("/message")).isEqualTo("two");
        assertThat(left.json().has("count")).isFalse();
    }
}
