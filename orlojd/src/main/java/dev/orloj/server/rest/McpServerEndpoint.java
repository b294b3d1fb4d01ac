package dev.orloj.server.rest;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.server.registry.ResourceRegistry;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What goes on with an MCP server besides its resource: what it logs, and its sessions. */
@RestController
class McpServerEndpoint {

    private static final String SERVER =
            "/apis/orloj.dev/v1/namespaces/{namespace}/mcpservers/{name}";
    private static final Duration PATIENCE = Duration.ofHours(1);

    private final ResourceRegistry registry;
    private final SessionManager sessions;
    private final OpenStreams streams;

    McpServerEndpoint(ResourceRegistry registry, SessionManager sessions, OpenStreams streams) {
        this.registry = registry;
        this.sessions = sessions;
        this.streams = streams;
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
        Query query = Query.parse(request.getQueryString());
        int tail = query.number("tailLines").orElse(LogBuffer.CAPACITY);
        boolean previous = query.isOn("previous");
        boolean follow = query.isOn("follow");
        boolean timestamps = query.isOn("timestamps");
        LogBuffer log = sessions.log(existing(request));
        response.setContentType("text/plain;charset=UTF-8");
        response.setHeader("Cache-Control", Answers.DYNAMIC);
        OutputStream out = response.getOutputStream();
        if (follow && !previous) {
            follow(log.follow(tail), response, timestamps);
        } else {
            for (LogBuffer.Line line : previous ? last(log.previous(), tail) : log.tail(tail)) {
                write(out, line, timestamps);
            }
        }
    }

    private static List<LogBuffer.Line> last(List<LogBuffer.Line> lines, int count) {
        return lines.subList(Math.max(0, lines.size() - count), lines.size());
    }

    /** Until the client is gone, which shows at the next line, or the server stops. */
    private void follow(
            LogBuffer.Follower follower, HttpServletResponse response, boolean timestamps)
            throws IOException {
        response.flushBuffer();
        try (OpenStreams.Registration _ = streams.register(Thread.currentThread()::interrupt)) {
            while (true) {
                Optional<LogBuffer.Line> line = follower.next(PATIENCE);
                if (line.isPresent()) {
                    write(response.getOutputStream(), line.get(), timestamps);
                    response.flushBuffer();
                }
            }
        } catch (InterruptedException e) {
            // The server stops: the log ends here.
        }
    }

    private static void write(OutputStream out, LogBuffer.Line line, boolean timestamps)
            throws IOException {
        String text = timestamps ? line.time() + " " + line.text() : line.text();
        out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
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
