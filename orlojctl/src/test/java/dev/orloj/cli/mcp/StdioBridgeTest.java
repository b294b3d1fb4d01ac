package dev.orloj.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.orloj.api.codec.Json;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A client on stdin and stdout, before an endpoint that forgets its sessions. */
@Timeout(60)
class StdioBridgeTest {

    private static final String INITIALIZE =
            "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}";
    private static final String LIST = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";

    private static final String REFUSED =
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"prompts/list\"}";

    private final List<String> received = new CopyOnWriteArrayList<>();
    private final List<String> uris = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server;
    private volatile int sessions;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.close();
    }

    /** The first session is over as soon as it is used. */
    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String session = String.valueOf(exchange.getRequestHeaders().getFirst("Mcp-Session-Id"));
        JsonNode message =
                body.length == 0 ? Json.MAPPER.missingNode() : Json.MAPPER.readTree(body);
        String method = message.path("method").asString(exchange.getRequestMethod());
        received.add(method + " " + session);
        uris.add(exchange.getRequestURI().toString());
        switch (method) {
            case "initialize" -> {
                sessions++;
                exchange.getResponseHeaders().add("Mcp-Session-Id", "s" + sessions);
                answer(exchange, 200, "{\"result\": {\"protocolVersion\": \"2025-11-25\"}}");
            }
            case "tools/list" -> {
                boolean over = session.equals("s1");
                answer(exchange, over ? 404 : 200, over ? "{}" : "{\n\"id\": 1}");
            }
            case "prompts/list" ->
                    answer(
                            exchange,
                            400,
                            "{\"id\":null,\"error\":{\"code\":-32600,\"message\":\"No such"
                                    + " server\"}}");
            default -> answer(exchange, method.equals("DELETE") ? 204 : 202, "");
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private CommandLineRun run(String url, String... lines) {
        return CommandLineRun.of(
                new ManualClock(),
                Map.of("ORLOJ_SERVER", url),
                String.join("\n", lines) + "\n",
                "mcp",
                "github");
    }

    @Test
    void refusalComesUnderTheIdThatTheClientWaitsFor() {
        CommandLineRun run = run(url(), INITIALIZE, REFUSED);

        assertThat(run.out().lines())
                .last()
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"id\":2,"
                                + "\"error\":{\"code\":-32600,\"message\":\"No such server\"}}");
    }

    @Test
    void severalServersAreChosenFromTheNamespace() {
        CommandLineRun.of(
                new ManualClock(),
                Map.of("ORLOJ_SERVER", url()),
                INITIALIZE + "\n",
                "mcp",
                "github",
                "jira",
                "github",
                "-n",
                "team-a");

        assertThat(uris).first().isEqualTo("/mcp/team-a?servers=github,jira");
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Test
    void sessionThatIsOverIsOpenedAgainWithoutTheClient() {
        CommandLineRun run = run(url(), INITIALIZE, LIST);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out().lines())
                .containsExactly(
                        "{\"result\": {\"protocolVersion\": \"2025-11-25\"}}", "{ \"id\": 1}");
        assertThat(received)
                .containsExactly(
                        "initialize null",
                        "tools/list s1",
                        "initialize null",
                        "notifications/initialized s2",
                        "tools/list s2",
                        "DELETE s2");
    }

    @Test
    void inputWithoutAMessageIsReported() {
        CommandLineRun run = run(url());

        assertThat(run.exitCode()).isZero();
        assertThat(run.err())
                .isEqualTo(
                        "orlojctl: stdin has no message; an MCP client starts this command and"
                                + " writes to it\n");
    }

    @Test
    void linesThatAreNoMessagesGoNowhere() {
        CommandLineRun run = run(url(), "hello", "");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains("a line from the client is no JSON: unexpected text at column 1");
        assertThat(received).isEmpty();
    }
}
