package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.rest.HttpProbe.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** H-25: what Kubernetes does, and few clients ask for. */
class WireDetailsTest {

    private final HttpProbe http = RestServer.shared().probe();
    private final String namespace = RestServer.shared().freshNamespace();
    private final String maps = "/api/v1/namespaces/%s/configmaps".formatted(namespace);

    private void create(String name, String labels) {
        String map = "{\"metadata\": {\"name\": \"%s\", \"labels\": %s}, \"data\": {\"n\": \"1\"}}";
        assertThat(http.post(maps, map.formatted(name, labels)).code()).isEqualTo(201);
    }

    private List<String> names(String query) {
        return http.get(maps + query).json().path("items").findValuesAsString("name");
    }

    @ParameterizedTest
    @CsvSource({"n%3E2, ten;three", "n%3C3, two", "n%3E2%2Cn%3C10, three", "n%3E-1, ten;three;two"})
    void labelsAreComparedAsNumbers(String selector, String expected) {
        create("two", "{\"n\": \"2\"}");
        create("three", "{\"n\": \"3\"}");
        create("ten", "{\"n\": \"10\"}");
        create("word", "{\"n\": \"x9\"}");
        create("none", "{}");

        assertThat(names("?labelSelector=" + selector)).containsExactly(expected.split(";"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"n%3Ex", "n%3E", "%3E2", "n%3E%3D2", "n%3E9999999999999999999999"})
    void whatIsNoNumberIsRefused(String selector) {
        assertThat(http.get(maps + "?labelSelector=" + selector).code()).isEqualTo(400);
    }

    @Test
    void clientsThatWantYamlGetIt() {
        create("a", "{\"yes\": \"true\"}");

        Answer one = http.get(maps + "/a", "Accept", "application/yaml");
        Answer list = http.get(maps, "Accept", "application/yaml,application/json");
        Answer missing = http.get(maps + "/b", "Accept", "application/yaml");
        Answer json = http.get(maps + "/a", "Accept", "application/json,application/yaml");

        assertThat(one.header("Content-Type")).isEqualTo("application/yaml");
        assertThat(one.text()).contains("kind: \"ConfigMap\"\n", "\"yes\": \"true\"\n");
        assertThat(list.text()).contains("kind: \"ConfigMapList\"\n", "items:\n");
        assertThat(missing.code()).isEqualTo(404);
        assertThat(missing.text()).contains("reason: \"NotFound\"\n");
        assertThat(json.at("/kind")).isEqualTo("ConfigMap");
        assertThat(http.get("/apis", "Accept", "application/yaml").text())
                .contains("kind: \"APIGroupList\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"metadata\": {\"labels\": {}}}",
                "{\"metadata\": {\"annotations\": {}}}",
                "{\"metadata\": {\"finalizers\": [], \"ownerReferences\": []}}",
                "{\"metadata\": {\"labels\": null}}",
                "{\"binaryData\": {}}"
            })
    void whatIsEmptyIsNoChange(String patch) {
        http.post(maps, "{\"metadata\": {\"name\": \"a\"}, \"data\": {\"n\": \"1\"}}");
        String before = http.get(maps + "/a").text();

        Answer patched = http.mergePatch(maps + "/a", patch);

        assertThat(patched.code()).isEqualTo(200);
        assertThat(patched.text()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tools", "mcpservers", "secrets", "sandboxes"})
    void aCustomResourceSaysItsKind(String plural) {
        String path = "/apis/orloj.dev/v1/namespaces/%s/%s".formatted(namespace, plural);
        String document = "{\"metadata\": {\"name\": \"a\"}, \"spec\": {\"secret\": \"hunter2\"}}";

        Answer created = http.send("POST", path, document);
        Answer updated = http.send("PUT", path + "/a", document);

        assertThat(created.code()).isEqualTo(400);
        assertThat(created.at("/message")).startsWith("Object 'Kind' is missing");
        assertThat(created.text()).doesNotContain("hunter2");
        assertThat(updated.code()).isEqualTo(400);
    }

    /** H-15 */
    @Test
    void whatIsNoneOfAnEnumerationOrOutOfRangeHasItsCause() {
        String servers = "/apis/orloj.dev/v1/namespaces/%s/mcpservers".formatted(namespace);
        String server =
                "{\"metadata\": {\"name\": \"s\"}, \"spec\": {\"transport\": \"stdio\","
                        + " \"command\": \"x\"}}";
        assertThat(http.post(servers, server).code()).isEqualTo(201);

        Answer phase = http.mergePatch(servers + "/s/status", "{\"status\": {\"phase\": \"Py\"}}");
        Answer replicas =
                http.mergePatch(servers + "/s", "{\"spec\": {\"replicas\": 99999999999}}");

        assertThat(phase.code()).isEqualTo(422);
        assertThat(phase.at("/details/causes/0/field")).isEqualTo("status.phase");
        assertThat(phase.at("/details/causes/0/reason")).isEqualTo("FieldValueNotSupported");
        assertThat(replicas.code()).isEqualTo(422);
        assertThat(replicas.at("/details/causes/0/field")).isEqualTo("spec.replicas");
    }

    @Test
    void everyColumnIsInTheDefinition() {
        JsonNode definition =
                http.get(
                                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/mcpservers.orloj.dev")
                        .json();

        JsonNode columns = definition.at("/spec/versions/0/additionalPrinterColumns");

        assertThat(columns.findValuesAsString("name"))
                .contains("Transport", "Ready", "Status", "Tools", "Command", "Age");
        columns.forEach(
                column -> {
                    assertThat(column.path("jsonPath").asString()).startsWith(".");
                    assertThat(column.path("type").asString()).isIn("string", "integer", "date");
                });
    }
}
