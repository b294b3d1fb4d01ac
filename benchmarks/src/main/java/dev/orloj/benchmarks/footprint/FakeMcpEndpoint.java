package dev.orloj.benchmarks.footprint;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** One Streamable HTTP endpoint that plays any number of MCP servers with the same tools. */
public final class FakeMcpEndpoint implements AutoCloseable {

    private static final String SESSION = "Mcp-Session-Id";
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(50);

    private final HttpServer server;
    private volatile ArrayNode tools;
    private final Set<String> sessions = ConcurrentHashMap.newKeySet();
    private final LongAdder requests = new LongAdder();

    private FakeMcpEndpoint(HttpServer server, ArrayNode tools) {
        this.server = server;
        this.tools = tools;
    }

    static FakeMcpEndpoint start(int tools) throws IOException {
        return start(definitions(tools));
    }

    /** Starts it with these tools. */
    public static FakeMcpEndpoint start(ArrayNode tools) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        FakeMcpEndpoint endpoint = new FakeMcpEndpoint(server, tools);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/mcp", endpoint::handle);
        server.start();
        return endpoint;
    }

    private static ArrayNode definitions(int tools) {
        ArrayNode list = Json.MAPPER.createArrayNode();
        for (int i = 0; i < tools; i++) {
            ObjectNode tool = list.addObject();
            tool.put("name", "look_up_" + i);
            tool.put(
                    "description", "Looks up the answer to a question in body of text number " + i);
            ObjectNode schema = tool.putObject("inputSchema").put("type", "object");
            ObjectNode properties = schema.putObject("properties");
            properties.putObject("question").put("type", "string").put("minLength", 1);
            properties.putObject("limit").put("type", "integer").put("maximum", 100);
            schema.putArray("required").add("question");
        }
        return list;
    }

    /** Lists other tools from now on, and announces nothing. */
    public void list(ArrayNode changed) {
        tools = changed;
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp");
    }

    /** How many requests have come in, whatever they were. */
    long requests() {
        return requests.sum();
    }

    /** Returns when every session that was opened has been deleted by its client. */
    void awaitNoSessions() {
        long giveUp = System.nanoTime() + TIMEOUT.toNanos();
        while (!sessions.isEmpty()) {
            if (System.nanoTime() - giveUp > 0) {
                throw new IllegalStateException(
                        sessions.size() + " sessions are still open after " + TIMEOUT);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        requests.increment();
        try (exchange) {
            switch (exchange.getRequestMethod()) {
                case "POST" -> post(exchange);
                case "DELETE" -> {
                    sessions.remove(String.valueOf(exchange.getRequestHeaders().getFirst(SESSION)));
                    exchange.sendResponseHeaders(200, -1);
                }
                default -> exchange.sendResponseHeaders(405, -1);
            }
        }
    }

    private void post(HttpExchange exchange) throws IOException {
        JsonNode message = Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes());
        if (!message.has("id")) {
            exchange.sendResponseHeaders(202, -1);
            return;
        }
        ObjectNode answer = Json.MAPPER.createObjectNode().put("jsonrpc", "2.0");
        answer.set("id", message.path("id"));
        switch (message.path("method").asString("")) {
            case "initialize" -> {
                String session = UUID.randomUUID().toString();
                sessions.add(session);
                exchange.getResponseHeaders().add(SESSION, session);
                ObjectNode result = answer.putObject("result");
                result.set("protocolVersion", message.at("/params/protocolVersion"));
                result.putObject("capabilities").putObject("tools");
                result.putObject("serverInfo").put("name", "fake").put("version", "1");
            }
            case "tools/list" -> answer.putObject("result").set("tools", tools);
            case "ping" -> answer.putObject("result");
            default ->
                    answer.putObject("error")
                            .put("code", -32601)
                            .put("message", "Method not found");
        }
        byte[] body = Json.MAPPER.writeValueAsBytes(answer);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
