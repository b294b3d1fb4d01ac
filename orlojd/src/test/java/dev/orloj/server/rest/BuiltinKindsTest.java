package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.HttpProbe.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.util.stream.Stream;

@Timeout(60)
class BuiltinKindsTest {

    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String SERVICES = "/api/v1/namespaces/default/services";

    private final HttpProbe http = RestServer.shared().probe();

    /** H-14: client-java refused our definitions for a keyword that it does not know. */
    @Test
    void schemasHaveNoKeywordsOfOurOwn() {
        assertThat(http.get(CRDS).text()).contains("tool_filter").doesNotContain("x-orloj-");
    }

    @Test
    void kindsAreDescribedAsCustomResources() {
        JsonNode crd = http.get(CRDS + "/mcpservers.orloj.dev").json();

        assertThat(crd.path("kind").asString()).isEqualTo("CustomResourceDefinition");
        assertThat(crd.at("/spec/group").asString()).isEqualTo("orloj.dev");
        assertThat(crd.at("/spec/names/kind").asString()).isEqualTo("McpServer");
        assertThat(crd.at("/spec/names/shortNames/0").asString()).isEqualTo("mcp");
        assertThat(crd.at("/spec/scope").asString()).isEqualTo("Namespaced");
        JsonNode version = crd.at("/spec/versions/0");
        assertThat(version.path("name").asString()).isEqualTo("v1");
        assertThat(version.path("storage").asBoolean()).isTrue();
        JsonNode schema = version.at("/schema/openAPIV3Schema");
        assertThat(schema.at("/properties/metadata").toString()).isEqualTo("{\"type\":\"object\"}");
        assertThat(schema.at("/properties/spec/properties/transport/enum")).isNotEmpty();
        assertThat(version.at("/subresources/status").isObject()).isTrue();
        assertThat(version.at("/subresources/scale/specReplicasPath").asString())
                .isEqualTo(".spec.replicas");
        assertThat(version.at("/additionalPrinterColumns/0/jsonPath").asString())
                .isEqualTo(".spec.transport");
        assertThat(version.at("/additionalPrinterColumns/1/jsonPath").asString())
                .isEqualTo(".status.conditions[?(@.type==\"Ready\")].status");
        assertThat(crd.at("/status/conditions/1/type").asString()).isEqualTo("Established");
        assertThat(crd.at("/status/conditions/1/status").asString()).isEqualTo("True");
    }

    @Test
    void definitionsAreListedInEveryForm() {
        Answer list = http.get(CRDS);
        Answer table = http.get(CRDS, "Accept", "application/json;as=Table;g=meta.k8s.io;v=v1");

        assertThat(list.at("/kind")).isEqualTo("CustomResourceDefinitionList");
        assertThat(list.json().path("items"))
                .extracting(crd -> crd.at("/metadata/name").asString())
                .contains("mcpservers.orloj.dev", "tools.orloj.dev", "secrets.orloj.dev")
                .noneMatch(name -> name.endsWith(".k8s.io"));
        assertThat(table.at("/rows/0/cells/1")).isEqualTo("orloj.dev");
        assertThat(
                        http.get(CRDS + "?fieldSelector=metadata.name%3Dtools.orloj.dev")
                                .json()
                                .path("items"))
                .hasSize(1);
        assertThat(http.get(CRDS + "?labelSelector=a").at("/items")).isEqualTo("[]");
        assertThat(http.get(CRDS + "?fieldSelector=spec.a%3Db").code()).isEqualTo(400);
        assertThat(http.get(CRDS + "/nope").code()).isEqualTo(404);
    }

    @Test
    void watchReportsThePresentStateAndEndsInTime() {
        String query =
                "?watch=true&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true"
                        + "&resourceVersionMatch=NotOlderThan";
        try (Stream<String> lines = http.open(CRDS + query).body()) {
            assertThat(lines.map(line -> Json.MAPPER.readTree(line).path("type").asString()))
                    .startsWith("ADDED", "ADDED", "ADDED")
                    .endsWith("BOOKMARK");
        }
        try (Stream<String> lines =
                http.open(CRDS + "?watch=true&timeoutSeconds=1&resourceVersion=1").body()) {
            assertThat(lines).isEmpty();
        }
    }

    @Test
    void thereAreNoServices() {
        assertThat(http.get(SERVICES).at("/items")).isEqualTo("[]");
        assertThat(http.get(SERVICES).at("/kind")).isEqualTo("ServiceList");
        assertThat(http.get(SERVICES + "/kubernetes").at("/message"))
                .isEqualTo("services \"kubernetes\" not found");
    }

    @Test
    void theyAreReadOnly() {
        Answer created = http.post(CRDS, "{}");

        assertThat(created.code()).isEqualTo(405);
        assertThat(created.at("/message")).contains("can only be read");
        assertThat(http.delete(CRDS + "/tools.orloj.dev").code()).isEqualTo(405);
        assertThat(http.mergePatch(CRDS + "/tools.orloj.dev", "{}").code()).isEqualTo(405);
        assertThat(http.get("/apis/apiextensions.k8s.io/v1").at("/resources/0/verbs"))
                .isEqualTo("[\"get\",\"list\",\"watch\"]");
    }
}
