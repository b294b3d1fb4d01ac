package dev.orloj.server.rest.server;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.workload.ProcessTable;
import dev.orloj.runtime.workload.ProcessUsage;
import dev.orloj.server.registry.ResourceRegistry;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.request.ApiPath;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;

/**
 * Serves the sessions of this replica, of one server or of many, with the resource usage of their
 * processes, which is measured at the time of the request only.
 */
@RestController
class SessionEndpoint {

    private static final String ROOT = "/apis/orloj.dev/v1";
    private static final String NAMESPACE = ROOT + "/namespaces/{namespace}";

    private final ResourceRegistry registry;
    private final SessionManager sessions;
    private final ObjectProvider<LocalReplica> replica;

    SessionEndpoint(
            ResourceRegistry registry,
            SessionManager sessions,
            ObjectProvider<LocalReplica> replica) {
        this.registry = registry;
        this.sessions = sessions;
        this.replica = replica;
    }

    @GetMapping(NAMESPACE + "/mcpservers/{name}/sessions")
    void ofServer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ResourceKey server =
                ApiPath.of(request)
                        .map(path -> new ResourceKey(path.namespace(), path.name()))
                        .orElseThrow();
        registry.get(McpServer.DESCRIPTOR, server);
        answer(response, sessions.sessions(server));
    }

    @GetMapping(NAMESPACE + "/sessions")
    void ofNamespace(@PathVariable String namespace, HttpServletResponse response)
            throws IOException {
        answer(
                response,
                sessions.sessions().stream()
                        .filter(session -> session.server().namespace().equals(namespace))
                        .toList());
    }

    @GetMapping(ROOT + "/sessions")
    void all(HttpServletResponse response) throws IOException {
        answer(response, sessions.sessions());
    }

    private void answer(HttpServletResponse response, List<SessionInfo> infos) throws IOException {
        ObjectNode list = Json.MAPPER.createObjectNode();
        list.put("kind", "SessionList").put("apiVersion", McpServer.KIND.apiVersion());
        list.putObject("metadata");
        ArrayNode items = list.putArray("items");
        if (!infos.isEmpty()) {
            ProcessTable table = ProcessTable.read();
            infos.stream()
                    .sorted(
                            Comparator.comparing((SessionInfo info) -> info.server().namespace())
                                    .thenComparing(info -> info.server().name())
                                    .thenComparing(SessionInfo::startedAt))
                    .forEach(info -> describe(info, table, items.addObject()));
        }
        Responses.json(response, 200, list);
    }

    private void describe(SessionInfo session, ProcessTable table, ObjectNode item) {
        item.put("id", session.id());
        item.put("namespace", session.server().namespace());
        item.put("server", session.server().name());
        replica.ifAvailable(local -> item.put("replica", local.name()));
        item.put("generation", session.generation());
        item.put("state", session.state().text());
        if (!session.protocolVersion().isEmpty()) {
            item.put("protocolVersion", session.protocolVersion());
        }
        session.pid()
                .ifPresent(
                        pid -> {
                            item.put("pid", pid);
                            table.usage(pid).ifPresent(usage -> describe(usage, item));
                        });
        session.user().ifPresent(user -> item.put("user", user.name()));
        session.container()
                .ifPresent(
                        container -> {
                            item.put("container", container.name());
                            item.put("containerId", container.id());
                            item.put("imageId", container.image());
                        });
        item.put("startedAt", session.startedAt().toString());
        item.put("lastUsedAt", session.lastUsedAt().toString());
        item.put("inFlight", session.inFlight());
        item.put("calls", session.calls());
        item.put("errors", session.errors());
        item.put("restarts", sessions.restarts(session.server()));
        item.put("noiseLines", session.noiseLines());
    }

    private static void describe(ProcessUsage usage, ObjectNode item) {
        item.put("processes", usage.processes());
        item.put("residentBytes", usage.residentBytes());
        item.put("cpuSeconds", BigDecimal.valueOf(usage.cpu().toMillis(), 3));
    }
}
