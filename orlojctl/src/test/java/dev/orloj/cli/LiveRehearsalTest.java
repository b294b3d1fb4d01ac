package dev.orloj.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Against a server that answers calls, and finds no resource. */
@DisplayName("18: the cache of orlojd is made with calls of every kind")
class LiveRehearsalTest {

    private final Queue<String> calls = new ConcurrentLinkedQueue<>();
    private HttpServer server;
    private int status = 200;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getPath();
        boolean isCall = exchange.getRequestMethod().equals("POST");
        if (isCall && (path.equals("/mcp") || path.endsWith("/demo--echo/call"))) {
            String revision = exchange.getRequestHeaders().getFirst("Mcp-Protocol-Version");
            calls.add(path + " " + revision + (body.contains("initialize") ? " opening" : ""));
            exchange.getResponseHeaders().set("Mcp-Session-Id", "s");
            exchange.sendResponseHeaders(status, 2);
        } else {
            exchange.sendResponseHeaders(404, 2);
        }
        exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
        exchange.close();
    }

    private LiveRehearsal rehearsal() {
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        String manifest = Path.of("no such manifest").toString();
        return new LiveRehearsal(url, "", manifest, 3, InstantSource.system());
    }

    @Test
    void callsOverRestAndOverMcpWithAndWithoutASession() throws IOException {
        rehearsal().run();

        assertThat(calls)
                .filteredOn(call -> !call.endsWith("opening"))
                .containsOnly(
                        "/apis/orloj.dev/v1/namespaces/default/tools/demo--echo/call null",
                        "/mcp 2026-07-28",
                        "/mcp 2025-11-25");
        for (String door : List.of("/call null", "/mcp 2026-07-28", "/mcp 2025-11-25")) {
            assertThat(calls)
                    .filteredOn(call -> call.endsWith(door))
                    .hasSizeGreaterThanOrEqualTo(12);
        }
    }

    @Test
    void failureEndsIt() {
        status = 503;

        assertThatThrownBy(() -> rehearsal().run())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a call of /apis/orloj.dev");
    }
}
