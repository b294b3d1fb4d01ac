package dev.orloj.server.rest.server;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.server.registry.Part;
import dev.orloj.server.registry.Patch;
import dev.orloj.server.registry.ResourceRegistry;
import dev.orloj.server.registry.Written;
import dev.orloj.server.rest.http.HttpExchange;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.request.ApiPath;
import dev.orloj.server.rest.request.WriteParameters;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * Requests new sessions with an MCP server. The request is stored as an annotation, so that every
 * replica sees it, even after a restart.
 */
@RestController
class RestartEndpoint {

    private final ResourceRegistry registry;
    private final InstantSource clock;

    RestartEndpoint(ResourceRegistry registry, InstantSource clock) {
        this.registry = registry;
        this.clock = clock;
    }

    @PostMapping("/apis/orloj.dev/v1/namespaces/{namespace}/mcpservers/{name}/restart")
    void restart(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpExchange exchange = HttpExchange.of(request, response);
        MediaTypes.requireJson(exchange.accepted());
        ApiPath path = ApiPath.of(request).orElseThrow();
        ObjectNode change = Json.MAPPER.createObjectNode();
        change.withObject("/metadata/annotations")
                .put(McpServer.RESTARTED_AT, clock.instant().toString());
        Written written =
                registry.patch(
                        McpServer.DESCRIPTOR,
                        new ResourceKey(path.namespace(), path.name()),
                        Part.RESOURCE,
                        new Patch.Merge(new Document(change, List.of(), Map.of())),
                        WriteParameters.of(exchange));
        Responses.warn(response, written.warnings());
        Responses.json(response, 200, written.document());
    }
}
