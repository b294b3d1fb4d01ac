package dev.orloj.benchmarks.call;

import dev.orloj.benchmarks.load.HttpConnection;
import dev.orloj.benchmarks.load.Operation;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How {@code echo} is called by POST: always with the same bytes, but for the id of a message,
 * which no two calls have in common.
 *
 * @param body with {@link #ID} where the id goes, if it has one
 */
public record HttpCall(String path, Map<String, String> headers, String body) {

    private static final String MESSAGE = "hello";

    /** Digits that are overwritten; never fewer, since the length of the body was announced. */
    private static final String ID = "1000000000";

    private static final int CALLS_OF_ONE = 1_000_000;
    private static final AtomicInteger CALLERS = new AtomicInteger(1_000);

    private static final Map<String, String> JSON =
            Map.of("Accept", "application/json", "Content-Type", "application/json");
    private static final Map<String, String> MCP =
            Map.of(
                    "Accept",
                    "application/json, text/event-stream",
                    "Content-Type",
                    "application/json");

    /** The way of orlojd's REST API, and of the floor, which takes any path. */
    static HttpCall rest(String path) {
        return new HttpCall(path, JSON, "{\"arguments\":{\"message\":\"%s\"}}".formatted(MESSAGE));
    }

    /** The way of mcp-hub. */
    static HttpCall hub(String server) {
        return new HttpCall(
                "/api/servers/tools",
                JSON,
                "{\"server_name\":\"%s\",\"tool\":\"echo\",\"arguments\":{\"message\":\"%s\"}}"
                        .formatted(server, MESSAGE));
    }

    /** MCP in a session, which is opened here. */
    static HttpCall inSession(URI server, String path) throws IOException {
        Map<String, String> headers = new HashMap<>(MCP);
        try (HttpConnection connection = new HttpConnection(server)) {
            byte[] initialize =
                    """
                    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":\
                    "2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\
                    """
                            .getBytes(StandardCharsets.UTF_8);
            HttpConnection.Answer answer =
                    connection.exchange(connection.request("POST", path, MCP, initialize));
            if (answer.status() != 200) {
                throw new IOException(answer.status() + " " + answer.text());
            }
            headers.put("Mcp-Protocol-Version", "2025-11-25");
            answer.header("Mcp-Session-Id").ifPresent(id -> headers.put("Mcp-Session-Id", id));
            byte[] initialized =
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"
                            .getBytes(StandardCharsets.UTF_8);
            connection.exchange(connection.request("POST", path, headers, initialized));
        }
        return new HttpCall(path, headers, message(""));
    }

    /** MCP of 2026-07-28, which knows no sessions. */
    public static HttpCall stateless(String path) {
        Map<String, String> headers = new HashMap<>(MCP);
        headers.put("Mcp-Protocol-Version", "2026-07-28");
        headers.put("Mcp-Method", "tools/call");
        headers.put("Mcp-Name", "echo");
        return new HttpCall(
                path,
                headers,
                message(
                        """
                        ,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
                        "io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},\
                        "io.modelcontextprotocol/clientCapabilities":{}}\
                        """));
    }

    /** The same call with a token. */
    public HttpCall with(String token) {
        Map<String, String> more = new HashMap<>(headers);
        more.put("Authorization", "Bearer " + token);
        return new HttpCall(path, more, body);
    }

    private static String message(String meta) {
        return """
        {"jsonrpc":"2.0","id":%s,"method":"tools/call",\
        "params":{"name":"echo","arguments":{"message":"%s"}%s}}\
        """
                .formatted(ID, MESSAGE, meta);
    }

    /** A caller with a connection of its own. */
    public Operation caller(URI server) {
        HttpConnection connection = new HttpConnection(server);
        byte[] request =
                connection.request("POST", path, headers, body.getBytes(StandardCharsets.UTF_8));
        return new Caller(connection, request);
    }

    private static final class Caller implements Operation {

        private final HttpConnection connection;
        private final byte[] request;
        private final int idAt;
        private int nextId = CALLERS.getAndIncrement() % 2_000 * CALLS_OF_ONE;

        Caller(HttpConnection connection, byte[] request) {
            this.connection = connection;
            this.request = request;
            this.idAt = new String(request, StandardCharsets.ISO_8859_1).indexOf(ID);
        }

        @Override
        public void perform() throws IOException {
            if (idAt >= 0) {
                writeId(nextId++);
            }
            HttpConnection.Answer answer = connection.exchange(request);
            if (answer.status() != 200 || !answer.text().contains(MESSAGE)) {
                throw new IOException(answer.status() + " " + answer.text());
            }
        }

        private void writeId(int id) {
            int rest = id;
            for (int i = ID.length() - 1; i > 0; i--) {
                request[idAt + i] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
