package dev.orloj.server.acceptance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs a {@link ConformanceClient} in this JVM whenever the conformance suite starts its command,
 * which only asks for that: a JVM for each scenario takes longer than the scenario.
 */
final class ConformanceClients implements AutoCloseable {

    /** Ends with an error when the client does, and prints why. */
    private static final String PROGRAM =
            """
            #!/bin/sh
            printf %%s "${MCP_CONFORMANCE_CONTEXT:-null}" |
              exec curl --silent --show-error --fail-with-body --data-binary @- \
                --header "Scenario: $MCP_CONFORMANCE_SCENARIO" --header "Endpoint: $1" \
                http://127.0.0.1:%d/
            """;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger started = new AtomicInteger();
    private final String orlojd;
    private final Path command;

    /**
     * Listens until it is closed.
     *
     * @param command the file to write the command of the suite to
     * @param orlojd the URL of the orlojd that the clients use
     */
    ConformanceClients(Path command, String orlojd) throws IOException {
        this.command = command;
        this.orlojd = orlojd;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        Files.writeString(command, PROGRAM.formatted(server.getAddress().getPort()));
        if (!command.toFile().setExecutable(true)) {
            throw new IOException(command + " cannot be made executable");
        }
        server.start();
    }

    Path command() {
        return command;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            StringWriter failure = new StringWriter();
            int code = 200;
            try {
                run(exchange);
            } catch (Exception e) {
                e.printStackTrace(new PrintWriter(failure, true));
                code = 500;
            }
            byte[] body = failure.toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private void run(HttpExchange exchange) throws IOException, InterruptedException {
        JsonNode context = Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes());
        ConformanceClient.run(
                orlojd,
                "conformance-" + started.incrementAndGet(),
                URI.create(exchange.getRequestHeaders().getFirst("Endpoint")),
                exchange.getRequestHeaders().getFirst("Scenario"),
                context.isNull() ? Json.MAPPER.createObjectNode() : context);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
