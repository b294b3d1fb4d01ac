package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.HttpProbe.Answer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Iterator;
import java.util.stream.Stream;

/** One Secret, two shapes. The value is "hunter2", aHVudGVyMg== in base64. */
@Timeout(60)
class SecretViewsTest {

    private static final String VALUE = "aHVudGVyMg==";
    private static final String LAST_APPLIED =
            "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

    private final HttpProbe http = RestServer.shared().probe();
    private String own = "";
    private String core = "";

    @BeforeEach
    void freshNamespace() {
        String namespace = RestServer.shared().freshNamespace();
        own = "/apis/orloj.dev/v1/namespaces/%s/secrets".formatted(namespace);
        core = "/api/v1/namespaces/%s/secrets".formatted(namespace);
    }

    private Answer create(String name) {
        return http.post(
                core,
                """
                {"metadata": {"name": "%s", "labels": {"a": "b"}}, "stringData": {"a": "hunter2"}}\
                """
                        .formatted(name));
    }

    @Test
    void writtenInOneShapeItIsReadInTheOther() {
        Answer created = create("s");
        Answer read = http.get(own + "/s");

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.at("/data/a")).isEqualTo(VALUE);
        assertThat(created.at("/type")).isEqualTo("Opaque");
        assertThat(created.json().has("stringData")).isFalse();
        assertThat(read.at("/apiVersion")).isEqualTo("orloj.dev/v1");
        assertThat(read.json().path("spec"))
                .isEqualTo(
                        Json.MAPPER.readTree(
                                "{\"data\": {\"a\": \"%s\"}, \"type\": \"Opaque\"}"
                                        .formatted(VALUE)));
        assertThat(read.json().path("metadata")).isEqualTo(created.json().path("metadata"));
    }

    @Test
    void aWriteThroughOneShapeMovesBoth() {
        Answer created = create("s");
        Answer patched = http.mergePatch(own + "/s", "{\"spec\": {\"data\": {\"b\": \"Yg==\"}}}");
        Answer read = http.get(core + "/s");

        assertThat(patched.at("/metadata/generation")).isEqualTo("2");
        assertThat(read.at("/metadata/resourceVersion"))
                .isEqualTo(patched.at("/metadata/resourceVersion"))
                .isNotEqualTo(created.at("/metadata/resourceVersion"));
        assertThat(read.at("/data/b")).isEqualTo("Yg==");
        assertThat(http.delete(core + "/s").code()).isEqualTo(200);
        assertThat(http.get(own + "/s").code()).isEqualTo(404);
    }

    @Test
    void nameIsTakenInBothShapes() {
        create("s");

        Answer again = http.post(own, "{\"metadata\": {\"name\": \"s\"}, \"spec\": {}}");

        assertThat(again.code()).isEqualTo(409);
    }

    @Test
    void typeSelectsInBothShapesAndStaysWhatItIs() {
        create("plain");
        http.post(core, "{\"metadata\": {\"name\": \"rel\"}, \"type\": \"helm.sh/release.v1\"}");

        assertThat(names(core + "?fieldSelector=type%3Dhelm.sh/release.v1")).isEqualTo("rel");
        assertThat(names(own + "?fieldSelector=spec.type%3Dhelm.sh/release.v1")).isEqualTo("rel");
        assertThat(names(core + "?labelSelector=a%3Db")).isEqualTo("plain");
        assertThat(http.get(core + "?fieldSelector=spec.type%3Dx").code()).isEqualTo(400);
        assertThat(http.mergePatch(core + "/rel", "{\"type\": \"Opaque\"}").code()).isEqualTo(422);
    }

    private String names(String path) {
        StringBuilder names = new StringBuilder();
        for (JsonNode item : http.get(path).json().path("items")) {
            names.append(item.at("/metadata/name").asString());
        }
        return names.toString();
    }

    @Test
    void watchOfOneShapeSeesWritesThroughTheOther() {
        String query = "?watch=true&fieldSelector=type%3DOpaque&sendInitialEvents=true";
        query += "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
        try (Stream<String> lines = http.open(core + query).body()) {
            Iterator<String> events = lines.iterator();
            JsonNode bookmark = Json.MAPPER.readTree(events.next());
            http.post(own, "{\"metadata\": {\"name\": \"s\"}, \"spec\": {\"data\": {}}}");
            JsonNode added = Json.MAPPER.readTree(events.next());
            http.delete(own + "/s");
            JsonNode deleted = Json.MAPPER.readTree(events.next());

            assertThat(bookmark.at("/object/apiVersion").asString()).isEqualTo("v1");
            assertThat(added.path("type").asString()).isEqualTo("ADDED");
            assertThat(added.at("/object/apiVersion").asString()).isEqualTo("v1");
            assertThat(added.at("/object/type").asString()).isEqualTo("Opaque");
            assertThat(deleted.path("type").asString()).isEqualTo("DELETED");
            assertThat(deleted.at("/object/kind").asString()).isEqualTo("Secret");
        }
    }

    @Test
    void tableIsThatOfKubernetes() {
        create("s");

        Answer table = http.get(core, "Accept", TABLE);

        assertThat(table.json().path("columnDefinitions").findValuesAsString("name"))
                .containsExactly("Name", "Type", "Data", "Age");
        assertThat(table.json().at("/rows/0/cells").toString()).startsWith("[\"s\",\"Opaque\",1,");
    }

    @Test
    void updateNeedsNoVersionInTheCoreShapeAndNeedsOneInTheOther() {
        create("s");

        Answer replaced =
                http.put(
                        core + "/s",
                        "{\"metadata\": {\"name\": \"s\"}, \"data\": {\"a\": \"Yg==\"}}");
        Answer refused = http.put(own + "/s", "{\"metadata\": {\"name\": \"s\"}, \"spec\": {}}");

        assertThat(replaced.code()).isEqualTo(200);
        assertThat(replaced.at("/data/a")).isEqualTo("Yg==");
        assertThat(refused.code()).isEqualTo(422);
    }

    @Test
    void annotationOfKubectlIsKeptToTheLetter() {
        String manifest = "{\\\"kind\\\":\\\"Secret\\\",\\\"data\\\":{\\\"a\\\":\\\"x\\\"}}";
        http.post(
                core,
                """
                {"metadata": {"name": "s", "annotations": {
                   "kubectl.kubernetes.io/last-applied-configuration": "%s"}}}\
                """
                        .formatted(manifest));

        assertThat(http.get(own + "/s").at(LAST_APPLIED)).isEqualTo(manifest.replace("\\", ""));
    }

    @Test
    void jsonPatchTestsAndCopiesWhatIsStored() {
        create("s");

        Answer patched =
                http.jsonPatch(
                        core + "/s",
                        """
                        [{"op": "test", "path": "/data/a", "value": "%s"},
                         {"op": "copy", "from": "/data/a", "path": "/data/b"}]\
                        """
                                .formatted(VALUE));

        assertThat(patched.code()).isEqualTo(200);
        assertThat(patched.at("/data/b")).isEqualTo(VALUE);
    }

    @Test
    void maskThatIsSentBackKeepsTheValue() {
        create("s");
        ObjectNode read = (ObjectNode) http.get(own + "/s").json();
        read.withObject("/spec/data").put("a", "***");

        Answer same = http.put(own + "/s", read.toString());
        Answer nothing = http.mergePatch(core + "/s", "{\"data\": {\"new\": \"***\"}}");

        assertThat(same.at("/metadata/resourceVersion"))
                .isEqualTo(read.at("/metadata/resourceVersion").asString());
        assertThat(http.get(core + "/s").at("/data/a")).isEqualTo(VALUE);
        assertThat(nothing.code()).isEqualTo(422);
    }

    @Test
    void immutableOnesKeepTheirValuesInBothShapes() {
        create("s");
        http.mergePatch(core + "/s", "{\"immutable\": true}");

        Answer throughCore = http.mergePatch(core + "/s", "{\"data\": {\"a\": \"Yg==\"}}");
        Answer throughOwn =
                http.mergePatch(own + "/s", "{\"spec\": {\"stringData\": {\"a\": \"b\"}}}");
        Answer labelled = http.mergePatch(core + "/s", "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}");

        assertThat(throughCore.code()).isEqualTo(422);
        assertThat(throughCore.at("/details/causes/0/field")).isEqualTo("data");
        assertThat(throughOwn.at("/details/causes/0/field")).isEqualTo("spec.data");
        assertThat(labelled.code()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"data\": {\"a\": \"hunter2!\"}}",
                "{\"data\": {\"a\": {\"x\": \"hunter2\"}}}",
                "{\"stringData\": [\"hunter2\"]}",
                "{\"data\": \"hunter2\"}"
            })
    void errorsQuoteNoValue(String patch) {
        create("s");

        Answer throughCore = http.mergePatch(core + "/s", patch);
        Answer throughOwn = http.mergePatch(own + "/s", "{\"spec\": %s}".formatted(patch));

        assertThat(throughCore.code()).isEqualTo(422);
        assertThat(throughOwn.code()).isEqualTo(422);
        assertThat(throughCore.text() + throughOwn.text()).doesNotContain("hunter2");
    }
}
