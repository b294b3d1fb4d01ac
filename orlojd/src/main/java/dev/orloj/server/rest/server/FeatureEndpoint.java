package dev.orloj.server.rest.server;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.ServerCaller;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.registry.ResourceRegistry;
import dev.orloj.server.rest.call.CallOutcomes;
import dev.orloj.server.rest.http.QueryParameters;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.request.ApiPath;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;

/**
 * Serves the prompts, resources and templates of a server: the results are its own, page by page,
 * and a request starts it.
 */
@RestController
class FeatureEndpoint {

    private static final String SERVER =
            "/apis/orloj.dev/v1/namespaces/{namespace}/mcpservers/{name}";

    private final ResourceRegistry registry;
    private final ServerCaller caller;

    FeatureEndpoint(ResourceRegistry registry, ServerCaller caller) {
        this.registry = registry;
        this.caller = caller;
    }

    @GetMapping(SERVER + "/prompts")
    void prompts(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        list("prompts/list", request, response);
    }

    @GetMapping(SERVER + "/resources")
    void resources(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        list("resources/list", request, response);
    }

    @GetMapping(SERVER + "/resources/templates")
    void templates(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        list("resources/templates/list", request, response);
    }

    @GetMapping(SERVER + "/resources/read")
    void read(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        String uri = QueryParameters.parse(request.getQueryString()).text("uri");
        if (uri.isEmpty()) {
            throw ApiException.badRequest(
                    "query parameter \"uri\" is missing: name the resource to read");
        }
        ask("resources/read", Json.MAPPER.createObjectNode().put("uri", uri), request, response);
    }

    private void list(String method, HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        ObjectNode params = Json.MAPPER.createObjectNode();
        String cursor = QueryParameters.parse(request.getQueryString()).text("cursor");
        if (!cursor.isEmpty()) {
            params.put("cursor", cursor);
        }
        ask(method, params, request, response);
    }

    private void ask(
            String method,
            ObjectNode params,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException, InterruptedException {
        ResourceKey server =
                ApiPath.of(request)
                        .map(path -> new ResourceKey(path.namespace(), path.name()))
                        .orElseThrow();
        registry.get(McpServer.DESCRIPTOR, server);
        CallOutcome outcome = caller.call(server, method, params, ProgressListener.NONE);
        Responses.json(
                response,
                200,
                CallOutcomes.result(McpServer.KIND, server, outcome, Rights.of(request)));
    }
}
