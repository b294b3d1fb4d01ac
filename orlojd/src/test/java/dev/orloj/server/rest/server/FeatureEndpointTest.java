package dev.orloj.server.rest.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.v1.McpServer;
import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.HttpProbe.Answer;
import dev.orloj.server.rest.RestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.node.ObjectNode;

class FeatureEndpointTest {

    private final RestServer server = RestServer.shared();
    private final HttpProbe http = server.probe();
    private String path = "";

    @BeforeEach
    void oneServer() {
        String namespace = server.freshNamespace();
        path = "/apis/orloj.dev/v1/namespaces/%s/mcpservers/".formatted(namespace);
        ObjectNode manifest = Json.MAPPER.createObjectNode();
        manifest.put("apiVersion", "orloj.dev/v1").put("kind", "McpServer");
        manifest.putObject("metadata").put("name", "srv").put("namespace", namespace);
        manifest.putObject("spec").put("transport", "stdio").put("command", "true");
        server.client()
                .create(McpServer.KIND, ResourceCodec.fromDocument(McpServer.KIND, manifest));
        server.catalog().putServer(RestServer.scripted(new ResourceKey(namespace, "srv")));
        server.mcp()
                .answerOthersWith(
                        (method, params) ->
                                Json.MAPPER
                                        .createObjectNode()
                                        .put("asked", method)
                                        .set("with", params));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    prompts                      | prompts/list             | {}
                    prompts?cursor=a%20b         | prompts/list             | {"cursor":"a b"}
                    resources                    | resources/list           | {}
                    resources/templates          | resources/templates/list | {}
                    resources/read?uri=f%3A//a   | resources/read           | {"uri":"f://a"}
                    """)
    void answerIsTheServersOwn(String request, String method, String params) {
        Answer answer = http.get(path + "srv/" + request);

        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.text())
                .isEqualTo("{\"asked\":\"%s\",\"with\":%s}".formatted(method, params));
    }

    @Test
    void whatIsMissingIsSaid() {
        assertThat(http.get(path + "srv/resources/read").at("/message"))
                .contains("query parameter \"uri\" is missing");
        assertThat(http.get(path + "absent/prompts").code()).isEqualTo(404);
    }
}
