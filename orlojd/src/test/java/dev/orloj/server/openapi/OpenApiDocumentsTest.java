package dev.orloj.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.v1.Kinds;

import org.junit.jupiter.params.ParameterizedTest;
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
}
