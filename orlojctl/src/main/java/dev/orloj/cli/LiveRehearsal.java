package dev.orloj.cli;

import dev.orloj.cli.output.Console;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Uses a server the way people and agents do, for the ahead-of-time cache of that server: the
 * commands once, and each way to call a tool often enough for the compilers of its JVM.
 */
final class LiveRehearsal {

    private static final int CALLERS = 4;
    private static final String LATEST = "2026-07-28";
    private static final String WITH_SESSION = "2025-11-25";

    /** The variable with the token. */
    static final String TOKEN = "ORLOJCTL_API_TOKEN";

    private final String server;
    private final String token;
    private final String manifest;
    private final int callsPerCaller;
    private final InstantSource clock;

    /**
     * @param token that it asks for; empty for none
     * @param manifest a file with the McpServer {@code demo}
     */
    LiveRehearsal(
            String server, String token, String manifest, int callsPerCaller, InstantSource clock) {
        this.server = server;
        this.token = token;
        this.manifest = manifest;
        this.callsPerCaller = callsPerCaller;
        this.clock = clock;
    }

    /**
     * Goes through all of it.
     *
     * @throws IOException when a call fails
     */
    void run() throws IOException {
        commands(
                List.of(
                        List.of("apply", "-f", manifest),
                        List.of(
                                "wait",
                                "mcpserver/demo",
                                "--for",
                                "condition=Ready",
                                "--timeout",
                                "1m"),
                        List.of("get", "mcpservers"),
                        List.of("get", "tools"),
                        List.of("get", "mcpserver", "demo", "-o", "yaml"),
                        List.of("describe", "mcpserver", "demo"),
                        List.of("events"),
                        List.of("call", "demo--echo", "--arg", "message=hello"),
                        List.of("call", "demo--add", "--arg", "a=1", "--arg", "b=2")));
        call(
                "/apis/orloj.dev/v1/namespaces/default/tools/demo--echo/call",
                Map.of(),
                "{\"arguments\":{\"message\":\"hello\"}}");
        call(
                "/mcp",
                Map.of(
                        "Mcp-Protocol-Version",
                        LATEST,
                        "Mcp-Method",
                        "tools/call",
                        "Mcp-Name",
                        "demo__echo"),
                message(
                        """
                        ,"_meta":{"io.modelcontextprotocol/protocolVersion":"%s",\
                        "io.modelcontextprotocol/clientInfo":{"name":"train","version":"1"},\
                        "io.modelcontextprotocol/clientCapabilities":{}}\
                        """
                                .formatted(LATEST)));
        call(
                "/mcp",
                Map.of("Mcp-Protocol-Version", WITH_SESSION, "Mcp-Session-Id", openSession()),
                message(""));
        commands(List.of(List.of("delete", "-f", manifest)));
    }

    private void commands(List<List<String>> commands) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        for (List<String> command : commands) {
            Console console =
                    new Console(
                            new ByteArrayInputStream(new byte[0]),
                            nowhere,
                            nowhere,
                            Map.of("ORLOJCTL_SERVER", server, TOKEN, token),
                            clock);
            Orlojctl.run(console, command.toArray(String[]::new));
        }
    }

    private static String message(String meta) {
        return """
        {"jsonrpc":"2.0","id":1,"method":"tools/call",\
        "params":{"name":"demo__echo","arguments":{"message":"hello"}%s}}\
        """
                .formatted(meta);
    }

    private String openSession() throws IOException {
        HttpURLConnection opened =
                post(
                        "/mcp",
                        Map.of(),
                        """
                        {"jsonrpc":"2.0","id":1,"method":"initialize","params":{\
                        "protocolVersion":"%s","capabilities":{},\
                        "clientInfo":{"name":"train","version":"1"}}}\
                        """
                                .formatted(WITH_SESSION));
        String session = opened.getHeaderField("Mcp-Session-Id");
        post(
                "/mcp",
                Map.of("Mcp-Protocol-Version", WITH_SESSION, "Mcp-Session-Id", session),
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        return session;
    }

    /** Some callers at a time, as a server has them. */
    private void call(String path, Map<String, String> headers, String body) throws IOException {
        try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
            List<Future<?>> running = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                running.add(
                        callers.submit(
                                () -> {
                                    for (int call = 0; call < callsPerCaller; call++) {
                                        post(path, headers, body);
                                    }
                                    return null;
                                }));
            }
            for (Future<?> caller : running) {
                caller.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("a call of " + path + " failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpURLConnection post(String path, Map<String, String> headers, String body)
            throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(server + path).toURL().openConnection();
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setRequestProperty("Accept", "application/json, text/event-stream");
        if (!token.isEmpty()) {
            connection.setRequestProperty("Authorization", "Bearer " + token);
        }
        headers.forEach(connection::setRequestProperty);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(body.getBytes(StandardCharsets.UTF_8));
        }
        try (InputStream answer = connection.getInputStream()) {
            answer.transferTo(OutputStream.nullOutputStream());
        }
        return connection;
    }
}
