package dev.orloj.cli.apply;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.http.ApiConnection;
import dev.orloj.cli.http.ServerLocation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Answers requests, one after the other, as a test says. */
final class ScriptedServer implements AutoCloseable {

    static final String OUTDATED =
            "{\"kind\": \"Status\", \"reason\": \"Conflict\", \"code\": 409, \"message\": \"old\"}";

    private final HttpServer server;
    private final Queue<String> script = new ConcurrentLinkedQueue<>();
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());

    ScriptedServer() {
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    /** Each is the outcome of an apply, or a dash, then a space and the body. */
    void script(String... answers) {
        script.addAll(List.of(answers));
    }

    /** Such as {@code apply}, {@code GET} or {@code upgrade 7}, the version that it is for. */
    List<String> requests() {
        return requests;
    }

    ApplyClient client() {
        return new ApplyClient(
                new ApiConnection(
                        ServerLocation.find(
                                Optional.of("http://127.0.0.1:" + server.getAddress().getPort()),
                                Map.of()),
                        Optional.empty(),
                        Duration.ofSeconds(10),
                        _ -> {}));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String type = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type"));
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        requests.add(
                switch (exchange.getRequestMethod()) {
                    case "PATCH" ->
                            type.contains("json-patch")
                                    ? "upgrade " + at(body, "/1/value")
                                    : "apply";
                    case "DELETE" -> "delete " + at(body, "/preconditions/resourceVersion");
                    default -> exchange.getRequestMethod();
                });
        String[] next = script.remove().split(" ", 2);
        byte[] bytes = next[1].getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Orloj-Outcome", next[0]);
        int status = Json.MAPPER.readTree(bytes).path("code").asInt(200);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String at(String body, String pointer) {
        return Json.MAPPER.readTree(body).at(pointer).asString();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
