package dev.orloj.server.rest.server;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.DocumentCheck;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.v1.McpServer;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.workload.WorkloadException;
import dev.orloj.server.processing.Processing;
import dev.orloj.server.registry.ResourceRegistry;
import dev.orloj.server.rest.http.RequestBody;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.request.ApiPath;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.List;

/**
 * Serves the result of merging a manifest, stored or sent, with the declaration of its image. It
 * stores, pulls and starts nothing.
 */
@RestController
class MergedEndpoint {

    private static final String MERGED =
            "/apis/orloj.dev/v1/namespaces/{namespace}/mcpservers/{name}/merged";

    private final ResourceRegistry registry;
    private final ContainerEngine containers;
    private final Processing processing;

    MergedEndpoint(ResourceRegistry registry, ContainerEngine containers, Processing processing) {
        this.registry = registry;
        this.containers = containers;
        this.processing = processing;
    }

    @GetMapping(MERGED)
    void stored(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(registry.get(McpServer.DESCRIPTOR, key(request)), response);
    }

    @PostMapping(MERGED)
    void sent(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        RequestBody body = RequestBody.read(request);
        ObjectNode document = processing.run(request, body::document).root();
        ResourceKey key = key(request);
        name(document, key);
        List<FieldError> errors = DocumentCheck.of(McpServer.DESCRIPTOR, document).errors();
        if (!errors.isEmpty()) {
            throw ApiException.invalid(McpServer.KIND, key.name(), errors);
        }
        answer(document, response);
    }

    /**
     * @throws ApiException (BadRequest) when the document has no place for a name
     */
    static void name(ObjectNode document, ResourceKey key) {
        JsonNode metadata = document.path("metadata");
        if (!metadata.isObject() && !metadata.isMissingNode() && !metadata.isNull()) {
            throw ApiException.badRequest("metadata: must be an object");
        }
        document.withObject("/metadata").put("namespace", key.namespace()).put("name", key.name());
    }

    private void answer(ObjectNode document, HttpServletResponse response) throws IOException {
        McpServer server = ResourceCodec.fromDocument(McpServer.KIND, document);
        String image = server.spec().container().image().name().strip();
        if (image.isEmpty()) {
            throw ApiException.invalid(
                    McpServer.KIND,
                    server.metadata().name(),
                    List.of(
                            FieldError.required(
                                    FieldPath.of("spec", "image"),
                                    "only an image declares something")));
        }
        try {
            MergedServer merged = new MergedServer(server, containers.declaration(image));
            Responses.json(response, 200, merged.document());
        } catch (WorkloadException e) {
            throw new ApiException(ErrorReason.BAD_GATEWAY, String.valueOf(e.getMessage()));
        }
    }

    private static ResourceKey key(HttpServletRequest request) {
        return ApiPath.of(request)
                .map(path -> new ResourceKey(path.namespace(), path.name()))
                .orElseThrow();
    }
}
