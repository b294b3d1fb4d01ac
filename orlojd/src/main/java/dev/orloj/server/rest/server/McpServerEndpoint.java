package dev.orloj.server.rest.server;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.server.registry.ResourceRegistry;
import dev.orloj.server.rest.http.QueryParameters;
import dev.orloj.server.rest.request.ApiPath;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;
import java.time.InstantSource;

/** Serves the log of an MCP server. {@link SessionEndpoint} serves its sessions. */
@RestController
class McpServerEndpoint {

    private static final String SERVER =
            "/apis/orloj.dev/v1/namespaces/{namespace}/mcpservers/{name}";

    private final ResourceRegistry registry;
    private final SessionManager sessions;
    private final LogStreams logs;
    private final InstantSource clock;

    McpServerEndpoint(
            ResourceRegistry registry,
            SessionManager sessions,
            LogStreams logs,
            InstantSource clock) {
        this.registry = registry;
        this.sessions = sessions;
        this.logs = logs;
        this.clock = clock;
    }

    @GetMapping(SERVER + "/log")
    void log(HttpServletRequest request, HttpServletResponse response) throws IOException {
        LogParameters parameters =
                LogParameters.of(QueryParameters.parse(request.getQueryString()), clock.instant());
        logs.send(sessions.log(existing(request)), parameters, request, response);
    }

    private ResourceKey existing(HttpServletRequest request) {
        ResourceKey key =
                ApiPath.of(request)
                        .map(path -> new ResourceKey(path.namespace(), path.name()))
                        .orElseThrow();
        registry.get(McpServer.DESCRIPTOR, key);
        return key;
    }
}
