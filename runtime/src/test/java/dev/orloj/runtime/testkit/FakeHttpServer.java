package dev.orloj.runtime.testkit;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import dev.orloj.api.codec.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;

/**
 * A fake MCP server behind a Streamable HTTP endpoint on loopback. Records what it receives;
 * answers that no sane server would give are put in with {@link #answerNext}.
 */
public final class FakeHttpServer implements AutoCloseable {

    private static final String SESSION = "Mcp-Session-Id";
    private static final int MAX_TRIES = 20;

    /**
     * One HTTP request.
     *
     * @param target path and query
     * @param headers names in lower case
     * @param body the JSON-RPC message, or a missing node
     */
    public record Received(
            String httpMethod, String target, Map<String, String> headers, JsonNode body) {

        /** The JSON-RPC method, or nothing. */
        public String method() {
            return body.path("method").stringValue("");
        }
    }

    /** A whole answer, given instead of the proper one. */
    public record Answer(int status, Map<String, String> headers, String body) {

        public static Answer of(int status, String contentType, String body) {
            return new Answer(status, Map.of("Content-Type", contentType), body);
        }
    }

    private record Planned(String method, Answer answer) {}

    private final FakeScript script;
    private final HttpServer http;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final FakeMcpServer server;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<Planned> planned = new ConcurrentLinkedQueue<>();
    private final Set<String> sessions = ConcurrentHashMap.newKeySet();
    private final List<Events> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, JsonNode> heldBack = new ConcurrentHashMap<>();
    private volatile Function<Received, @Nullable Answer> guard = _ -> null;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger mostRunning = new AtomicInteger();

    private FakeHttpServer(FakeScript script, HttpServer http) {
        this.script = script;
        this.server = new FakeMcpServer(script, this::broadcast);
        this.http = http;
        http.setExecutor(threads);
        http.createContext("/mcp", this::serve);
        http.start();
    }

    public static FakeHttpServer start(FakeScript script) {
        try {
            return new FakeHttpServer(script, HttpServer.create(anyPort(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts one per address, all at one port, as the Pods behind one name are.
     *
     * @param script gives each server a script of its own
     */
    public static List<FakeHttpServer> startAtOnePort(
            Supplier<FakeScript> script, List<InetAddress> addresses) {
        for (int tries = 1; ; tries++) {
            List<HttpServer> bound = new ArrayList<>();
            try {
                int port = 0;
                for (InetAddress address : addresses) {
                    bound.add(HttpServer.create(new InetSocketAddress(address, port), 0));
                    port = bound.getFirst().getAddress().getPort();
                }
                return bound.stream().map(http -> new FakeHttpServer(script.get(), http)).toList();
            } catch (IOException e) {
                bound.forEach(http -> http.stop(0));
                if (tries == MAX_TRIES) { // another program has the port at one of the addresses
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** Starts one over https. */
    public static FakeHttpServer start(FakeScript script, SSLContext tls) {
        try {
            HttpsServer http = HttpsServer.create(anyPort(), 0);
            http.setHttpsConfigurator(new HttpsConfigurator(tls));
            return new FakeHttpServer(script, http);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    public int port() {
        return http.getAddress().getPort();
    }

    public URI endpoint() {
        String scheme = http instanceof HttpsServer ? "https" : "http";
        return URI.create(scheme + "://127.0.0.1:" + port() + "/mcp");
    }

    /** All requests so far, oldest first. */
    public List<Received> received() {
        return List.copyOf(received);
    }

    /** The requests with this JSON-RPC method. */
    public List<Received> received(String method) {
        return received.stream().filter(request -> request.method().equals(method)).toList();
    }

    /**
     * The next POST of this JSON-RPC method, or GET or DELETE by its HTTP method, gets this answer.
     */
    public void answerNext(String method, Answer answer) {
        planned.add(new Planned(method, answer));
    }

    /** Every request to the endpoint is examined first; what is given back is its answer. */
    public void guard(Function<Received, @Nullable Answer> examination) {
        guard = examination;
    }

    /** Serves a document at a path beside the endpoint. */
    public void serve(String path, Supplier<String> document) {
        http.createContext(
                path,
                exchange -> {
                    try (exchange) {
                        boolean found = exchange.getRequestURI().getPath().equals(path);
                        answer(
                                exchange,
                                found
                                        ? Answer.of(200, "application/json", document.get())
                                        : Answer.of(404, "text/plain", "none"));
                    }
                });
    }

    /** Every session is unknown from now on. */
    public void forgetSessions() {
        sessions.clear();
    }

    public Set<String> sessions() {
        return Set.copyOf(sessions);
    }

    /** GET streams that are open. */
    public int listeners() {
        return listeners.size();
    }

    /** Clients that listen for changes in the way of 2026-07-28; they have asked for events. */
    public int subscribers() {
        return server.subscribers();
    }

    /** Ends all GET streams; clients come back. */
    public void dropListeners() {
        listeners.forEach(Events::end);
    }

    /** The most calls of tools that were being answered at one time. */
    public int mostConcurrent() {
        return mostRunning.get();
    }

    public void addTool(String name) {
        server.addTool(name);
    }

    public void removeTool(String name) {
        server.removeTool(name);
    }

    @Override
    public void close() {
        closed.countDown();
        server.close();
        dropListeners();
        http.stop(0);
        threads.shutdownNow();
    }

    private void broadcast(JsonNode message) {
        listeners.forEach(listener -> listener.send(message));
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Received request =
                    new Received(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI().toString(),
                            lowerCase(exchange.getRequestHeaders()),
                            body.length == 0
                                    ? Json.MAPPER.missingNode()
                                    : Json.MAPPER.readTree(body));
            received.add(request);
            if (script.is("closesConnections")) {
                exchange.getResponseHeaders().set("Connection", "close");
            }
            Answer answer = plannedFor(request);
            answer = answer == null ? guard.apply(request) : answer;
            if (answer != null) {
                answer(exchange, answer);
                return;
            }
            switch (request.httpMethod()) {
                case "POST" -> post(exchange, request);
                case "GET" -> get(exchange, request);
                case "DELETE" -> {
                    sessions.remove(request.headers().getOrDefault("mcp-session-id", ""));
                    exchange.sendResponseHeaders(200, -1);
                }
                default -> exchange.sendResponseHeaders(405, -1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void post(HttpExchange exchange, Received request)
            throws IOException, InterruptedException {
        if (!script.text("httpSse", "").isEmpty()) {
            postToStream(exchange, request);
            return;
        }
        if (script.is("sessions") && !hasSession(exchange, request)) {
            return;
        }
        if (script.is("stateless") && !mirrorsItsBody(exchange, request)) {
            return;
        }
        if (request.method().isEmpty() || !request.body().has("id")) {
            server.handle(request.body(), new Document(exchange));
            exchange.sendResponseHeaders(202, -1);
            return;
        }
        // One that is answered counts for a moment longer than its client waits for it.
        boolean isCounted = request.method().equals("tools/call");
        if (isCounted) {
            mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
        }
        try {
            if (script.is("breakStreams") && request.method().equals("tools/call")) {
                breakOff(exchange, request);
            } else if (script.is("sse") || request.method().equals("subscriptions/listen")) {
                try (Events events = new Events(exchange)) {
                    server.handle(request.body(), events);
                }
            } else {
                server.handle(request.body(), new Document(exchange));
            }
        } finally {
            if (isCounted) {
                running.decrementAndGet();
            }
        }
    }

    /** As servers of 2026-07-28 have to check. */
    private static boolean mirrorsItsBody(HttpExchange exchange, Received request)
            throws IOException {
        JsonNode params = request.body().path("params");
        String name = params.path("name").asString(params.path("uri").asString(""));
        boolean matches =
                request.headers().getOrDefault("mcp-method", "").equals(request.method())
                        && request.headers()
                                .getOrDefault("mcp-protocol-version", "")
                                .equals("2026-07-28")
                        && request.headers().getOrDefault("mcp-name", "").equals(name);
        if (!matches) {
            answer(
                    exchange,
                    Answer.of(
                            400,
                            "application/json",
                            FakeMcpServer.error(
                                            request.body().path("id"), -32020, "Header mismatch")
                                    .toString()));
        }
        return matches;
    }

    private boolean hasSession(HttpExchange exchange, Received request) throws IOException {
        if (request.method().equals("initialize")) {
            String id = UUID.randomUUID().toString();
            sessions.add(id);
            exchange.getResponseHeaders().set(SESSION, id);
            return true;
        }
        if (sessions.contains(request.headers().getOrDefault("mcp-session-id", ""))) {
            return true;
        }
        answer(exchange, Answer.of(404, "text/plain", "Session not found"));
        return false;
    }

    /** The answer comes on the stream that is open. */
    private void postToStream(HttpExchange exchange, Received request)
            throws IOException, InterruptedException {
        if (listeners.isEmpty()) {
            answer(exchange, Answer.of(404, "text/plain", "No stream is open"));
            return;
        }
        if (script.is("acceptsLate")) {
            server.handle(request.body(), listeners.getLast());
            exchange.sendResponseHeaders(202, -1);
        } else {
            exchange.sendResponseHeaders(202, -1);
            server.handle(request.body(), listeners.getLast());
        }
    }

    /** The answer is kept for a client that comes back for it. */
    private void breakOff(HttpExchange exchange, Received request)
            throws IOException, InterruptedException {
        String eventId = UUID.randomUUID().toString();
        server.handle(
                request.body(),
                new Document(exchange) {
                    @Override
                    public void send(JsonNode message) {
                        heldBack.put(eventId, message);
                    }
                });
        try (Events events = new Events(exchange)) {
            events.write("id: " + eventId + "\nretry: 10\ndata:\n\n");
        }
    }

    private void get(HttpExchange exchange, Received request)
            throws IOException, InterruptedException {
        JsonNode held = heldBack.remove(request.headers().getOrDefault("last-event-id", ""));
        if (held != null) {
            try (Events events = new Events(exchange)) {
                events.send(held);
            }
        } else if (script.is("getStream") || !script.text("httpSse", "").isEmpty()) {
            try (Events events = new Events(exchange)) {
                listeners.add(events); // a client that knows the target may post to it at once
                String target = script.text("httpSse", "");
                if (!target.isEmpty()) {
                    events.write("event: endpoint\ndata: " + target + "\n\n");
                }
                events.await();
                listeners.remove(events);
            }
        } else {
            exchange.sendResponseHeaders(405, -1);
        }
    }

    private @Nullable Answer plannedFor(Received request) {
        for (Planned candidate : planned) {
            if (candidate.method().equals(request.method())
                    || candidate.method().equals(request.httpMethod())) {
                planned.remove(candidate);
                return candidate.answer();
            }
        }
        return null;
    }

    private static void answer(HttpExchange exchange, Answer answer) throws IOException {
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static Map<String, String> lowerCase(Headers headers) {
        Map<String, String> result = new ConcurrentHashMap<>();
        headers.forEach(
                (name, values) ->
                        result.put(name.toLowerCase(Locale.ROOT), String.join(", ", values)));
        return Map.copyOf(result);
    }

    /** An answer as one JSON document: there is room for the first message that has an id. */
    private static class Document implements FakeMcpServer.Outlet {

        private final HttpExchange exchange;

        Document(HttpExchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void send(JsonNode message) {
            if (!message.isArray() && !message.has("id")) {
                return;
            }
            try {
                answer(exchange, Answer.of(200, "application/json", message.toString()));
            } catch (IOException e) {
                // The client has gone, or the answer was given before.
            }
        }

        @Override
        public void sendRaw(String text) {}

        @Override
        public void die(int code) {
            exchange.close();
        }
    }

    /** An answer, or a GET stream, as events. */
    private final class Events implements FakeMcpServer.Outlet, AutoCloseable {

        private final OutputStream out;
        private final CountDownLatch ended = new CountDownLatch(1);

        Events(HttpExchange exchange) throws IOException {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            this.out = exchange.getResponseBody();
            write(": welcome\n\n");
        }

        @Override
        public void send(JsonNode message) {
            write("event: message\ndata: " + message + "\n\n");
        }

        @Override
        public void sendRaw(String text) {
            write("data: " + text + "\n\n");
        }

        @Override
        public void die(int code) {
            close();
        }

        synchronized void write(String text) {
            try {
                out.write(text.getBytes(StandardCharsets.UTF_8));
                out.flush();
            } catch (IOException e) {
                end();
            }
        }

        void await() throws InterruptedException {
            ended.await();
        }

        void end() {
            ended.countDown();
        }

        @Override
        public void close() {
            end();
            try {
                out.close();
            } catch (IOException e) {
                // The client has gone before.
            }
        }
    }
}
