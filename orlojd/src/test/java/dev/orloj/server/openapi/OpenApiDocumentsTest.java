package dev.orloj.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.v1.Kinds;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

class OpenApiDocumentsTest {

    private static final OpenApiDocuments DOCUMENTS = new OpenApiDocuments(Kinds.SCHEME);
    private static final List<String> METHODS = List.of("get", "put", "post", "patch", "delete");

    private static List<String> groupVersions() {
        return DOCUMENTS.groupVersions();
    }

    private static Stream<JsonNode> operations(String groupVersion) {
        return DOCUMENTS
                .v3(groupVersion)
                .path("paths")
                .valueStream()
                .flatMap(path -> METHODS.stream().map(path::path))
                .filter(JsonNode::isObject);
    }

    /**
     * They were a list with the answer at the place 200, which clients of Go cannot read: kubectl
     * then took the schema of OpenAPI 2 and refused to apply a part of a server.
     */
    @ParameterizedTest
    @MethodSource("groupVersions")
    void responsesAreNamedByTheirCode(String groupVersion) {
        assertThat(operations(groupVersion).map(o -> o.at("/responses/200/description")))
                .isNotEmpty()
                .allMatch(JsonNode::isString);
        assertThat(operations(groupVersion).map(o -> o.path("responses")))
                .allMatch(JsonNode::isObject);
    }

    @ParameterizedTest
    @MethodSource("groupVersions")
    void noTwoOperationsHaveTheSameName(String groupVersion) {
        assertThat(operations(groupVersion).map(o -> o.path("operationId").asString()))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("groupVersions")
    void whatIsInBracesIsDeclared(String groupVersion) {
        for (Map.Entry<String, JsonNode> path :
                DOCUMENTS.v3(groupVersion).path("paths").properties()) {
            Stream<String> declared =
                    path.getValue()
                            .path("parameters")
                            .valueStream()
                            .map(parameter -> "{" + parameter.path("name").asString() + "}");

            assertThat(Stream.of(path.getKey().split("/")).filter(part -> part.startsWith("{")))
                    .as(path.getKey())
                    .containsExactlyElementsOf(declared.toList());
        }
    }

    /** As Kubernetes does for custom resources; a fuzzer writes nothing without it. */
    @ParameterizedTest
    @CsvSource({
        "mcpservers, post, application/json, dev.orloj.v1.McpServer",
        "mcpservers/{name}, put, application/yaml, dev.orloj.v1.McpServer",
        "mcpservers/{name}, patch, application/merge-patch+json, meta.v1.Patch",
        "mcpservers/{name}, patch, application/apply-patch+yaml, meta.v1.Patch",
        "mcpservers/{name}, patch, application/json-patch+json, meta.v1.JSONPatch",
        "mcpservers/{name}, delete, application/json, meta.v1.DeleteOptions",
        "mcpservers/{name}/scale, put, application/json, autoscaling.v1.Scale"
    })
    void bodiesOfWritesAreDescribed(String path, String method, String type, String schema) {
        JsonNode body =
                DOCUMENTS
                        .v3("apis/orloj.dev/v1")
                        .path("paths")
                        .path("/apis/orloj.dev/v1/namespaces/{namespace}/" + path)
                        .path(method)
                        .path("requestBody");

        assertThat(body.path("required").asBoolean()).isEqualTo(!method.equals("delete"));
        assertThat(body.path("content").path(type).at("/schema/$ref").asString()).endsWith(schema);
    }

    @ParameterizedTest
    @MethodSource("groupVersions")
    void referencesLeadToSchemas(String groupVersion) {
        JsonNode document = DOCUMENTS.v3(groupVersion);

        assertThat(document.findValuesAsString("$ref"))
                .hasSizeGreaterThan(20)
                .allMatch(
                        reference ->
                                document.at("/components/schemas")
                                        .has(reference.replace("#/components/schemas/", "")));
    }
}
