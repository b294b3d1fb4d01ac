package dev.orloj.cli.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.Json;
import dev.orloj.api.testing.ManualClock;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A small orlojd in this process: the resource paths over a store in memory, and canned answers for
 * logs and calls.
 */
public final class FakeOrlojd implements AutoCloseable {

    private static final Pattern LEDGER =
            Pattern.compile(".*/mcpservers/([^/]+)/(ledger.*|approval)");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final FakeResources resources;
    private final FakeApply applies;
    private final FakeAuthorizations logins;
    private final Map<String, String> logs = new ConcurrentHashMap<>();
    private final Map<String, String> merged = new ConcurrentHashMap<>();
    private volatile String sessions = "{\"items\": []}";
    private volatile String callId = "";
    private volatile Runnable callRead = () -> {};
    private volatile String callEvents = "";
    private volatile String callAnswer = "{\"items\": []}";
    private final Map<String, FakeLedger> ledgers = new ConcurrentHashMap<>();
    private final Map<String, Function<JsonNode, String>> tools = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Predicate<String> unanswered = _ -> false;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<JsonNode> calls = new CopyOnWriteArrayList<>();
    private final List<Map<String, List<String>>> callHeaders = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();

    public FakeOrlojd(ManualClock clock) {
        resources = new FakeResources(clock);
        applies = new FakeApply(resources);
        logins = new FakeAuthorizations(resources);
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public FakeResources resources() {
        return resources;
    }

    /** What is done with apply patches. */
    public FakeApply applies() {
        return applies;
    }

    /** The logins at the authorization servers of McpServers. */
    public FakeAuthorizations logins() {
        return logins;
    }

    /** What a server of that name wrote to stderr. */
    public void putLog(String server, String text) {
        logs.put(server, text);
    }

    /** What a server of that name comes to with the declaration of its image. */
    public void putMerged(String server, String answer) {
        merged.put(server, answer);
    }

    /** The answer to every question for sessions. */
    public void putSessions(String answer) {
        sessions = answer;
    }

    /** The id of the calls of tools, and the answer to every question for calls. */
    public void putCall(String id, String answer) {
        callId = id;
        callAnswer = answer;
    }

    /** Runs before every answer to a question for calls. */
    public void onCallRead(Runnable action) {
        callRead = action;
    }

    /** The answer to calls that accept events. */
    public void putCallEvents(String events) {
        callEvents = events;
    }

    /** What a Tool of that name answers to its arguments. */
    public void putTool(String name, Function<JsonNode, String> answer) {
        tools.put(name, answer);
    }

    /** The ledger of a server, for a test to write. */
    public FakeLedger ledger(String server) {
        return ledgers.computeIfAbsent(server, FakeLedger::new);
    }

    /** Method, path and query of all requests so far. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** Headers of all calls of tools so far. */
    public List<Map<String, List<String>>> callHeaders() {
        return List.copyOf(callHeaders);
    }

    /** Bodies of all calls of tools so far. */
    public List<JsonNode> calls() {
        return List.copyOf(calls);
    }

    public List<String> authorizations() {
        return List.copyOf(authorizations);
    }

    /** Requests that get no answer. */
    public void leaveUnanswered(Predicate<String> these) {
        unanswered = these;
    }

    private void handle(HttpExchange exchange) throws IOException {
        String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        requests.add(request);
        if (unanswered.test(request)) {
            awaitClose();
            exchange.close();
            return;
        }
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        if (authorization != null) {
            authorizations.add(authorization);
        }
        try (exchange) {
            try {
                answer(exchange);
            } catch (ApiException e) {
                send(
                        exchange,
                        e.reason().code(),
                        "application/json",
                        Json.MAPPER.writeValueAsString(e.toStatus()));
            } catch (RuntimeException e) {
                send(exchange, 500, "text/plain", "the fake failed: " + e);
            }
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Map<String, String> query = query(exchange);
        Matcher ledger = LEDGER.matcher(path);
        if (ledger.matches() && ledgers.containsKey(ledger.group(1))) {
            String answer = ledgers.get(ledger.group(1)).answer(ledger.group(2));
            send(exchange, 200, "application/json", answer);
        } else if (FakeDiscovery.ANSWERS.containsKey(path)) {
            send(exchange, 200, "application/json", FakeDiscovery.ANSWERS.get(path));
        } else if (path.equals("/readyz")) {
            send(exchange, 200, "text/plain", "ok\n");
        } else if (path.equals("/page")) {
            send(exchange, 404, "text/html", "<html>some other server</html>");
        } else if (path.endsWith("/log")) {
            String name = path.replaceAll(".*/([^/]+)/log", "$1");
            String text = logs.get(name);
            if (text == null) {
                resources.get(owner(path), false);
                throw new ApiException(ErrorReason.NOT_FOUND, "there is no log yet");
            }
            send(exchange, 200, "text/plain", tail(text, query));
        } else if (path.endsWith("/merged")) {
            String name = path.replaceAll(".*/([^/]+)/merged", "$1");
            if (!merged.containsKey(name)) {
                resources.get(owner(path), false);
            }
            send(exchange, 200, "application/json", merged.getOrDefault(name, "{}"));
        } else if (path.endsWith("/restart")) {
            restart(exchange, owner(path));
        } else if (path.endsWith("/authorization")) {
            ObjectNode login = logins.answer(exchange, owner(path));
            send(exchange, 200, "application/json", login.toString());
        } else if (path.endsWith("/mcpserverreviews")) {
            review(exchange, path);
        } else if (path.endsWith("/sessions")) {
            send(exchange, 200, "application/json", sessions);
        } else if (path.contains("/calls")) {
            callRead.run();
            send(exchange, 200, "application/json", callAnswer);
        } else if (path.endsWith("/call")) {
            call(exchange, path.replaceAll(".*/([^/]+)/call", "$1"));
        } else {
            resource(exchange, FakePath.parse(path), query);
        }
    }

    private static FakePath owner(String path) {
        return FakePath.parse(path.substring(0, path.lastIndexOf('/')));
    }

    /** Every server that is there has no findings. */
    private void review(HttpExchange exchange, String path) throws IOException {
        JsonNode review = Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes());
        String name = review.at("/spec/server").asString("");
        if (!name.isEmpty()) {
            resources.get(
                    FakePath.parse(path.replace("mcpserverreviews", "mcpservers/" + name)), false);
        }
        send(exchange, 201, "application/json", "{\"status\": {\"report\": {}}}");
    }

    /** Restarts are distinguished by how many requests came before them. */
    private void restart(HttpExchange exchange, FakePath path) throws IOException {
        ObjectNode server = resources.get(path, false);
        server.withObject("/metadata/annotations")
                .put("orloj.dev/restartedAt", "restart " + requests.size());
        send(
                exchange,
                200,
                "application/json",
                resources.replace(path, Map.of(), server).toString());
    }

    private static String tail(String text, Map<String, String> query) {
        List<String> lines = text.lines().toList();
        int count = Integer.parseInt(query.getOrDefault("tailLines", "" + lines.size()));
        return lines.stream()
                .skip(Math.max(0, lines.size() - count))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private void call(HttpExchange exchange, String name) throws IOException {
        JsonNode body = Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes());
        calls.add(body);
        callHeaders.add(Map.copyOf(exchange.getRequestHeaders()));
        if (!callId.isEmpty()) {
            exchange.getResponseHeaders().set("Orloj-Call-Id", callId);
        }
        if (exchange.getRequestHeaders().containsKey("Prefer")) {
            send(exchange, 202, "application/json", callAnswer);
            return;
        }
        if (exchange.getRequestHeaders().getFirst("Accept").contains("text/event-stream")) {
            send(exchange, 200, "text/event-stream", callEvents);
            return;
        }
        Function<JsonNode, String> tool = tools.get(name);
        if (tool == null) {
            throw new ApiException(
                    ErrorReason.NOT_FOUND, "tools.orloj.dev \"" + name + "\" not found");
        }
        send(exchange, 200, "application/json", tool.apply(body.path("arguments")));
    }

    private void resource(HttpExchange exchange, FakePath path, Map<String, String> query)
            throws IOException {
        boolean asTable =
                exchange.getRequestHeaders()
                        .getOrDefault("Accept", List.of(""))
                        .getFirst()
                        .contains("as=Table");
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (exchange.getRequestMethod().equals("PATCH")) {
            apply(exchange, path, query, body);
            return;
        }
        if (query.getOrDefault("watch", "").equals("true")) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            resources.checkWatch(path, query);
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.flush();
            resources.watch(path, query, asTable, out);
            return;
        }
        ObjectNode answer =
                switch (exchange.getRequestMethod()) {
                    case "GET" ->
                            path.name().isEmpty()
                                    ? resources.list(path, query, asTable)
                                    : resources.get(path, asTable);
                    case "POST" -> resources.create(path, query, parse(body));
                    case "PUT" -> resources.replace(path, query, parse(body));
                    case "DELETE" -> resources.delete(path, parse(body));
                    default -> throw ApiException.badRequest(exchange.getRequestMethod());
                };
        int status = exchange.getRequestMethod().equals("POST") ? 201 : 200;
        send(exchange, status, "application/json", answer.toString());
    }

    private void apply(HttpExchange exchange, FakePath path, Map<String, String> query, byte[] body)
            throws IOException {
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        if (type.equals("application/merge-patch+json")) {
            send(
                    exchange,
                    200,
                    "application/json",
                    resources.merge(path, query, parse(body)).toString());
            return;
        }
        if (!type.equals("application/apply-patch+yaml")) {
            throw new ApiException(ErrorReason.UNSUPPORTED_MEDIA_TYPE, type);
        }
        FakeApply.Result result = applies.apply(path, query, parse(body));
        if (!applies.isOld()) {
            exchange.getResponseHeaders().set("Orloj-Outcome", result.outcome());
        }
        applies.warnings()
                .forEach(
                        warning ->
                                exchange.getResponseHeaders()
                                        .add("Warning", "299 - \"" + warning + "\""));
        int status = result.outcome().equals("created") ? 201 : 200;
        send(exchange, status, "application/json", result.document().toString());
    }

    private static ObjectNode parse(byte[] body) {
        return (ObjectNode) Json.MAPPER.readTree(body);
    }

    private static void send(HttpExchange exchange, int status, String type, String text)
            throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> parameters = new HashMap<>();
        String text = exchange.getRequestURI().getRawQuery();
        for (String part : text == null ? new String[0] : text.split("&")) {
            int sign = part.indexOf('=');
            parameters.put(
                    part.substring(0, sign),
                    URLDecoder.decode(part.substring(sign + 1), StandardCharsets.UTF_8));
        }
        return parameters;
    }

    private void awaitClose() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        resources.close();
        server.stop(0);
        threads.close();
    }
}
