package dev.orloj.server.rest;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.server.registry.ResourceRegistry;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.InstantSource;

/** What goes on with an MCP server besides its resource: what it logs, and its sessions. */
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

    @GetMapping(SERVER + "/sessions")
    void sessions(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ResourceKey server = existing(request);
        ObjectNode list = Json.MAPPER.createObjectNode();
        list.put("kind", "SessionList").put("apiVersion", McpServer.KIND.apiVersion());
        list.putObject("metadata");
        ArrayNode items = list.putArray("items");
        sessions.sessions(server).forEach(session -> describe(session, items.addObject()));
        Answers.json(response, 200, list);
    }

    private static void describe(SessionInfo session, ObjectNode item) {
        item.put("id", session.id());
        item.put("generation", session.generation());
        item.put("state", session.state());
        if (!session.protocolVersion().isEmpty()) {
            item.put("protocolVersion", session.protocolVersion());
        }
        session.pid().ifPresent(pid -> item.put("pid", pid));
        item.put("startedAt", session.startedAt().toString());
        item.put("lastUsedAt", session.lastUsedAt().toString());
        item.put("inFlight", session.inFlight());
        item.put("calls", session.calls());
        item.put("errors", session.errors());
        item.put("noiseLines", session.noiseLines());
    }

    @GetMapping(SERVER + "/log")
    void log(HttpServletRequest request, HttpServletResponse response) throws IOException {
        LogParameters parameters =
                LogParameters.of(Query.parse(request.getQueryString()), clock.instant());
        logs.send(sessions.log(existing(request)), parameters, response);
    }

    private ResourceKey existing(HttpServletRequest request) {
        ResourceKey key =
                ApiPath.parse(request.getRequestURI())
                        .map(path -> new ResourceKey(path.namespace(), path.name()))
                        .orElseThrow();
        registry.get(McpServer.DESCRIPTOR, key);
        return key;
    }
}
