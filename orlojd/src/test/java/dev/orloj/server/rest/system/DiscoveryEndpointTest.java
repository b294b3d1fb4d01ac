package dev.orloj.server.rest.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.HttpProbe.Answer;
import dev.orloj.server.rest.RestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.stream.Stream;

class DiscoveryEndpointTest {

    private static final String V2 =
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    private static final String OPENAPI_V2 =
            "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

    private final HttpProbe http = RestServer.shared().probe();

    private static Stream<JsonNode> values(JsonNode array, String pointer) {
        return array.valueStream().map(item -> item.at(pointer));
    }

    private static List<String> names(JsonNode array, String field) {
        return array.valueStream().map(item -> item.path(field).asString()).toList();
    }

    /** H-13: clients that are generated from Kubernetes' OpenAPI ask for these. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/version",
                "/api",
                "/apis",
                "/api/v1",
                "/apis/orloj.dev",
                "/apis/events.k8s.io",
                "/apis/orloj.dev/v1",
                "/apis/coordination.k8s.io/v1",
                "/apis/authorization.k8s.io/v1",
                "/openapi/v3",
                "/openapi/v3/api/v1",
                "/openapi/v2",
                "/api/v1/namespaces",
                "/apis/orloj.dev/v1/tools",
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                "/api/v1/namespaces/default/configmaps",
                "/api/v1/namespaces/default",
                "/healthz",
                "/livez",
                "/readyz"
            })
    void aSlashAtTheEndChangesNothing(String path) {
        Answer with = http.get(path + "/");
        Answer without = http.get(path);

        assertThat(with.code()).isEqualTo(200);
        assertThat(with.text()).isEqualTo(without.text());
        assertThat(with.header("Content-Type")).isEqualTo(without.header("Content-Type"));
    }

    @Test
    void newClientsGetEverythingAtOnce() {
        Answer groups = http.get("/apis", "Accept", V2 + ",application/json");

        assertThat(groups.header("Content-Type").replace(" ", "")).isEqualTo(V2);
        JsonNode version = groups.json().at("/items/0/versions/0");
        assertThat(groups.at("/items/0/metadata/name")).isEqualTo("orloj.dev");
        assertThat(names(version.path("resources"), "resource"))
                .containsExactly(
                        "mcpservers",
                        "tools",
                        "sandboxes",
                        "toolpolicies",
                        "mcpserverpolicies",
                        "secrets",
                        "calls",
                        "mcpserverreviews",
                        "usertokens");
        assertThat(version.at("/resources/0/shortNames/0").asString()).isEqualTo("mcp");
        assertThat(version.at("/resources/0/subresources/0/subresource").asString())
                .isEqualTo("status");
        assertThat(
                        names(
                                http.get("/api", "Accept", V2)
                                        .json()
                                        .at("/items/0/versions/0/resources"),
                                "resource"))
                .startsWith("namespaces", "configmaps", "secrets", "events");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
                "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer,*/*"
            })
    void otherClientsGoLevelByLevel(String accept) {
        assertThat(http.get("/apis", "Accept", accept).at("/kind")).isEqualTo("APIGroupList");
        assertThat(http.get("/api", "Accept", accept).at("/versions")).isEqualTo("[\"v1\"]");
        assertThat(http.get("/apis/orloj.dev").at("/preferredVersion/groupVersion"))
                .isEqualTo("orloj.dev/v1");
        assertThat(names(http.get("/apis/orloj.dev/v1").json().path("resources"), "name"))
                .containsExactly(
                        "mcpservers",
                        "mcpservers/status",
                        "mcpservers/scale",
                        "mcpservers/restart",
                        "tools",
                        "tools/status",
                        "sandboxes",
                        "sandboxes/status",
                        "toolpolicies",
                        "mcpserverpolicies",
                        "secrets",
                        "calls",
                        "mcpserverreviews",
                        "usertokens");
        assertThat(names(http.get("/api/v1").json().path("resources"), "name"))
                .startsWith(
                        "namespaces",
                        "namespaces/status",
                        "namespaces/finalize",
                        "configmaps",
                        "secrets",
                        "events")
                .contains("pods");
    }

    @Test
    void questionsAreResourcesThatCanOnlyBeCreated() {
        Answer reviews = http.get("/apis/authorization.k8s.io/v1");

        assertThat(reviews.at("/resources/0/name")).isEqualTo("selfsubjectaccessreviews");
        assertThat(reviews.at("/resources/0/verbs")).isEqualTo("[\"create\"]");
        assertThat(names(http.get("/apis").json().path("groups"), "name"))
                .contains("authorization.k8s.io", "authentication.k8s.io");
    }

    @Test
    void whatAClientHasIsNotSentAgain() {
        Answer first = http.get("/apis", "Accept", V2);
        Answer second = http.get("/apis", "Accept", V2, "If-None-Match", first.header("ETag"));

        assertThat(first.header("Vary")).contains("Accept");
        assertThat(second.code()).isEqualTo(304);
        assertThat(http.get("/apis", "If-None-Match", first.header("ETag")).code()).isEqualTo(200);
    }

    @Test
    void openApiHasSchemasAndSaysThatTheServerValidates() {
        String url = http.get("/openapi/v3").at("/paths/apis~1orloj.dev~1v1/serverRelativeURL");
        Answer document = http.get(url);

        assertThat(document.header("Cache-Control")).contains("immutable");
        JsonNode schema = document.json().at("/components/schemas/dev.orloj.v1.McpServer");
        assertThat(schema.at("/x-kubernetes-group-version-kind/0/kind").asString())
                .isEqualTo("McpServer");
        assertThat(schema.at("/properties/spec/properties/transport/enum")).isNotEmpty();
        assertThat(schema.at("/properties/metadata/allOf/0/$ref").asString())
                .isEqualTo("#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
        JsonNode patch =
                document.json()
                        .path("paths")
                        .path("/apis/orloj.dev/v1/namespaces/{namespace}/mcpservers/{name}")
                        .path("patch");
        assertThat(patch.at("/x-kubernetes-group-version-kind/kind").asString())
                .isEqualTo("McpServer");
        assertThat(values(patch.path("parameters"), "/name").map(JsonNode::asString))
                .contains("fieldValidation", "dryRun", "fieldManager", "force");
    }

    @Test
    void everyReferenceOfTheSchemasLeadsSomewhere() {
        JsonNode document = http.get("/openapi/v3/api/v1").json();

        assertThat(document.findValuesAsString("$ref"))
                .isNotEmpty()
                .allSatisfy(ref -> assertThat(document.at(ref.substring(1)).isObject()).isTrue());
    }

    @Test
    void openApiV2IsServedInBothForms() {
        Answer protobuf = http.get("/openapi/v2", "Accept", OPENAPI_V2);
        Answer json = http.get("/openapi/v2", "Accept", "application/json, */*");

        assertThat(protobuf.code()).isEqualTo(200);
        assertThat(protobuf.text())
                .startsWith("\n\u00032.0")
                .contains("dev.orloj.v1.McpServer", "x-kubernetes-group-version-kind");
        assertThat(protobuf.header("Content-Type")).doesNotContain("@");
        assertThat(json.at("/swagger")).isEqualTo("2.0");
        assertThat(
                        json.json()
                                .at("/definitions/dev.orloj.v1.Tool/properties/metadata/$ref")
                                .asString())
                .isEqualTo("#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
        assertThat(json.json().path("definitions").propertyNames())
                .contains("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
    }

    @Test
    void unknownOpenApiDocumentIsNotFound() {
        assertThat(http.get("/openapi/v3/apis/nope/v1").code()).isEqualTo(404);
    }

    @Test
    void versionIsThatOfTheApi() {
        Answer version = http.get("/version");

        assertThat(version.at("/minor")).isEqualTo("32");
        assertThat(version.at("/gitVersion")).matches("v1\\.32\\.\\d+\\+orloj.*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/healthz", "/livez", "/readyz"})
    void probesSayOk(String path) {
        Answer answer = http.get(path);

        assertThat(answer.text()).isEqualTo("ok");
        assertThat(answer.header("Content-Type")).startsWith("text/plain");
    }
}
