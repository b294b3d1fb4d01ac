package dev.orloj.runtime.testkit;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * What a fake server does with messages, whatever carries them. Besides the tools it lists, every
 * tool of the following may be called:
 *
 * <ul>
 *   <li>{@code echo} answers with its arguments, {@code add {a, b}} with a sum
 *   <li>{@code exotic} answers with fields, content and numbers of unknown kinds
 *   <li>{@code fail} answers with {@code isError}, {@code error} with a JSON-RPC error
 *   <li>{@code sleep {millis}} answers late, {@code never} never, {@code twice} twice
 *   <li>{@code gather {of}} answers once so many of these calls are there at the same time
 *   <li>{@code progress {steps, millis}} reports its progress, with that pause before each step,
 *       and answers after the last
 *   <li>{@code huge {bytes}} answers with that much text
 *   <li>{@code exit {code}} dies (HTTP: drops the connection) instead of answering
 *   <li>{@code garbage} sends lines that are no messages, and unknown answers, before its own
 *   <li>{@code batch} answers in a JSON-RPC batch
 *   <li>{@code env} and {@code pid} answer with the environment and the process id
 *   <li>{@code spawn {detached}} leaves a grandchild that ignores all signals it can; answers with
 *       its pid
 *   <li>{@code ask} asks the client {@code ping} and {@code roots/list}, and answers with what it
 *       said
 *   <li>{@code report {text, level, of}} logs to its client, once so many of these calls are there,
 *       and answers when all of them have
 *   <li>{@code add_tool {name}}, {@code remove_tool {name}} change the list and announce it
 *   <li>{@code touch {uri}} says that a resource was updated
 *   <li>{@code log {text}} writes a line to stderr
 * </ul>
 */
final class FakeMcpServer {

    /** A tool and a result of unusual content: unknown members, unknown content, exact numbers. */
    private static final String EXOTIC_RESULT =
            """
            {"content": [
               {"type": "text", "text": "plain", "annotations": {"audience": ["user"], "glow": 0.10}},
               {"type": "video", "uri": "film://1", "frames": 9007199254740993},
               {"type": "resource_link", "uri": "file:///a", "name": "a", "size": 12345678901234567890123, "icons": [{"src": "x"}]}],
             "structuredContent": {"exact": 0.1234567890123456789012345, "trailing": 1.50, "nothing": null},
             "resultKind": "unheard-of",
             "_meta": {"vendor.example/trace": [1, 2.0, 3e2]}}
            """;

    private static final String EXOTIC_DEFINITION =
            """
            {"title": "Exotic", "description": "Odd on purpose",
             "inputSchema": {"type": "object", "properties": {"n": {"type": "number", "multipleOf": 0.010, "x-glow": true}}},
             "outputSchema": {"type": "object"},
             "annotations": {"readOnlyHint": true, "auraHint": "violet"},
             "execution": {"taskSupport": "optional"},
             "icons": [{"src": "data:,", "sizes": ["48x48"]}],
             "_meta": {"vendor.example/weight": 1.10},
             "futureField": {"deep": [null, 0.30]}}
            """;

    /** Where messages to the client go. */
    interface Outlet {

        void send(JsonNode message);

        /** Something that is no message, where the carrier allows it. */
        void sendRaw(String text);

        /** Ends the server, or the exchange, without an answer. */
        void die(int code);
    }

    private final FakeScript script;
    private final Consumer<JsonNode> broadcast;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<String> tools;
    private final List<Consumer<JsonNode>> subscribers = new CopyOnWriteArrayList<>();
    private final Map<String, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final AtomicLong askedIds = new AtomicLong();
    private final Map<String, CountDownLatch> gatherings = new ConcurrentHashMap<>();

    /**
     * @param broadcast sends a notification that belongs to no request
     */
    FakeMcpServer(FakeScript script, Consumer<JsonNode> broadcast) {
        this.script = script;
        this.broadcast = broadcast;
        this.tools = new CopyOnWriteArrayList<>(script.list("tools"));
    }

    /** Wakes all that sleep or never answer. */
    void close() {
        closed.countDown();
    }

    void addTool(String name) {
        tools.add(name);
        publish(notification("notifications/tools/list_changed"));
    }

    void removeTool(String name) {
        tools.remove(name);
        publish(notification("notifications/tools/list_changed"));
    }

    /** How many clients listen for changes, in the way of 2026-07-28. */
    int subscribers() {
        return subscribers.size();
    }

    private void publish(JsonNode change) {
        if (script.is("stateless")) {
            subscribers.forEach(subscriber -> subscriber.accept(change));
        } else {
            broadcast.accept(change);
        }
    }

    /** Handles one message; blocks while a tool sleeps. */
    void handle(JsonNode message, Outlet out) throws InterruptedException {
        JsonNode id = message.get("id");
        String method = message.path("method").stringValue("");
        if (method.isEmpty()) {
            CompletableFuture<JsonNode> answer = asked.remove(message.path("id").asString(""));
            if (answer != null) {
                answer.complete(message);
            }
            return;
        }
        if (id == null) {
            return;
        }
        if (method.equals(script.text("silentOn", ""))) {
            closed.await();
            return;
        }
        JsonNode failure = script.node("failOn");
        if (method.equals(failure.path("method").stringValue(""))) {
            out.send(
                    error(
                            id,
                            failure.path("code").intValue(),
                            failure.path("message").stringValue()));
            return;
        }
        JsonNode params = message.path("params");
        if (script.is("stateless")) {
            stateless(id, method, params, out);
            return;
        }
        switch (method) {
            case "initialize" -> out.send(result(id, initialize(params)));
            case "ping" -> out.send(result(id, Json.MAPPER.createObjectNode()));
            case "tools/list" -> out.send(result(id, page(params)));
            case "tools/call" -> call(id, params, out);
            default -> out.send(other(id, method, params));
        }
    }

    private ObjectNode other(JsonNode id, String method, JsonNode params) {
        return Optional.of(method)
                .filter(_ -> script.is("features"))
                .flatMap(name -> FakeFeatures.result(name, params))
                .map(result -> result(id, result))
                .orElseGet(() -> error(id, -32601, "Method not found"));
    }

    /** As a server of 2026-07-28 alone. */
    private void stateless(JsonNode id, String method, JsonNode params, Outlet out)
            throws InterruptedException {
        String version = params.at("/_meta/io.modelcontextprotocol~1protocolVersion").asString("");
        if (!version.equals("2026-07-28")) {
            out.send(error(id, -32602, "_meta is missing"));
            return;
        }
        switch (method) {
            case "server/discover" -> out.send(result(id, discover()));
            case "subscriptions/listen" -> listen(id, params, out);
            case "tools/list" -> out.send(result(id, page(params)));
            case "tools/call" -> call(id, params, out);
            default -> out.send(error(id, -32601, "Method not found"));
        }
    }

    private static ObjectNode discover() {
        ObjectNode result = Json.MAPPER.createObjectNode().put("resultType", "complete");
        result.putArray("supportedVersions").add("2026-07-28");
        result.putObject("capabilities").putObject("tools").put("listChanged", true);
        result.put("ttlMs", 60_000).put("cacheScope", "public");
        result.putObject("_meta")
                .putObject("io.modelcontextprotocol/serverInfo")
                .put("name", "fake")
                .put("version", "2.0");
        return result;
    }

    /** Agrees to all but resources that are called secret. */
    private void listen(JsonNode id, JsonNode params, Outlet out) throws InterruptedException {
        ObjectNode acknowledged = notification("notifications/subscriptions/acknowledged");
        ObjectNode reported = acknowledged.putObject("params");
        reported.putObject("_meta").set("io.modelcontextprotocol/subscriptionId", id);
        ObjectNode agreed = ((ObjectNode) params.path("notifications")).deepCopy();
        if (agreed.path("resourceSubscriptions") instanceof ArrayNode resources) {
            resources.removeIf(uri -> uri.asString("").contains("secret"));
        }
        reported.set("notifications", agreed);
        out.send(acknowledged);
        Consumer<JsonNode> listener = out::send;
        subscribers.add(listener);
        try {
            closed.await();
        } finally {
            subscribers.remove(listener);
        }
    }

    private ObjectNode initialize(JsonNode params) {
        ObjectNode result = Json.MAPPER.createObjectNode();
        result.put("protocolVersion", script.text("protocolVersion", "2025-11-25"));
        ObjectNode capabilities = result.putObject("capabilities");
        capabilities
                .putObject("tools")
                .put("listChanged", true)
                .put("sparkle", new BigDecimal("1.50"));
        if (script.is("features")) {
            FakeFeatures.describe(capabilities);
        }
        result.putObject("serverInfo")
                .put("name", "fake")
                .put("version", "1.0")
                .put("mood", "fine");
        result.put("instructions", "Be kind");
        result.set("asked", params.path("protocolVersion"));
        return result;
    }

    private ObjectNode page(JsonNode params) {
        int size = script.number("pageSize", Math.max(1, tools.size()));
        int from = Integer.parseInt(params.path("cursor").stringValue("0"));
        ObjectNode result = Json.MAPPER.createObjectNode();
        ArrayNode list = result.putArray("tools");
        List<String> snapshot = List.copyOf(tools);
        snapshot.stream().skip(from).limit(size).forEach(name -> list.add(definition(name)));
        if (script.is("cursorLoop")) {
            result.put("nextCursor", String.valueOf(from));
        } else if (from + size < snapshot.size()) {
            result.put("nextCursor", String.valueOf(from + size));
        }
        return result;
    }

    /** The definition of a listed tool, as the server sends it. */
    static ObjectNode definition(String name) {
        ObjectNode tool = Json.MAPPER.createObjectNode().put("name", name);
        switch (name) {
            case "exotic" ->
                    ((ObjectNode) Json.MAPPER.readTree(EXOTIC_DEFINITION)).forEachEntry(tool::set);
            case "add" -> {
                tool.put("description", "Adds two numbers");
                ObjectNode schema = tool.putObject("inputSchema").put("type", "object");
                ObjectNode properties = schema.putObject("properties");
                properties.putObject("a").put("type", "number");
                properties.putObject("b").put("type", "number");
                schema.putArray("required").add("a").add("b");
            }
            default -> {
                tool.put("description", "Tool " + name);
                tool.putObject("inputSchema").put("type", "object");
            }
        }
        return tool;
    }

    /** The result of the tool {@code exotic}, as the server sends it. */
    static JsonNode exoticResult() {
        return Json.MAPPER.readTree(EXOTIC_RESULT);
    }

    private void call(JsonNode id, JsonNode params, Outlet out) throws InterruptedException {
        JsonNode arguments = params.path("arguments");
        switch (params.path("name").stringValue("")) {
            case "add" -> {
                var sum =
                        arguments.path("a").decimalValue().add(arguments.path("b").decimalValue());
                out.send(result(id, text(sum.toPlainString())));
            }
            case "exotic" -> out.send(result(id, exoticResult()));
            case "fail" -> out.send(result(id, text("It did not work").put("isError", true)));
            case "error" -> out.send(error(id, -32042, "Please log in"));
            case "sleep" -> {
                closed.await(arguments.path("millis").longValue(0), TimeUnit.MILLISECONDS);
                out.send(result(id, text("slept")));
            }
            case "progress" -> {
                progress(params, out);
                out.send(result(id, text("arrived")));
            }
            case "gather" -> {
                gather("gather", arguments.path("of").intValue());
                out.send(result(id, text("all are here")));
            }
            case "report" -> {
                gather("begin", arguments.path("of").intValue(1));
                out.send(report(arguments));
                gather("end", arguments.path("of").intValue(1));
                out.send(result(id, text("reported")));
            }
            case "never" -> closed.await();
            case "twice" -> {
                out.send(result(id, text("first")));
                out.send(result(id, text("second")));
            }
            case "huge" ->
                    out.send(result(id, text("x".repeat(arguments.path("bytes").intValue(0)))));
            case "exit" -> out.die(arguments.path("code").intValue(1));
            case "garbage" -> {
                out.sendRaw("");
                out.sendRaw("this is no JSON");
                out.sendRaw("{\"level\": \"info\", \"msg\": \"JSON, but no JSON-RPC\"}");
                out.sendRaw("{\"jsonrpc\": \"2.0\", \"id\": 987654, \"result\": {}}");
                out.sendRaw("{\"jsonrpc\": \"2.0\", \"id\": \"text\", \"result\": {}}");
                out.sendRaw("\u0007\u001b[31m{broken");
                out.send(result(id, text("after garbage")));
            }
            case "batch" -> {
                ArrayNode batch = Json.MAPPER.createArrayNode();
                batch.add(notification("notifications/message"));
                batch.add(result(id, text("batched")));
                batch.add(7);
                out.send(batch);
            }
            case "env" -> out.send(result(id, environment()));
            case "pid" -> out.send(result(id, text(hostPid())));
            case "spawn" -> out.send(result(id, text(spawn(arguments))));
            case "ask" -> ask(id, out);
            case "add_tool" -> {
                addTool(arguments.path("name").stringValue());
                out.send(result(id, text("added")));
            }
            case "remove_tool" -> {
                removeTool(arguments.path("name").stringValue());
                out.send(result(id, text("removed")));
            }
            case "touch" -> {
                ObjectNode updated = notification("notifications/resources/updated");
                updated.putObject("params").set("uri", arguments.path("uri"));
                publish(updated);
                out.send(result(id, text("touched")));
            }
            case "log" -> {
                System.err.println(arguments.path("text").stringValue(""));
                out.send(result(id, text("logged")));
            }
            default -> {
                ObjectNode echo = text(arguments.path("message").asString("echo"));
                echo.set("structuredContent", arguments);
                out.send(result(id, echo));
            }
        }
    }

    /** Returns when so many are there. */
    private void gather(String place, int of) throws InterruptedException {
        CountDownLatch missing =
                gatherings.computeIfAbsent(place + " " + of, _ -> new CountDownLatch(of));
        missing.countDown();
        missing.await();
    }

    private static ObjectNode report(JsonNode arguments) {
        ObjectNode log = notification("notifications/message");
        log.putObject("params")
                .put("level", arguments.path("level").stringValue("info"))
                .put("logger", "fake")
                .put("data", arguments.path("text").stringValue(""));
        return log;
    }

    private void progress(JsonNode params, Outlet out) throws InterruptedException {
        JsonNode arguments = params.path("arguments");
        for (int step = 1; step <= arguments.path("steps").intValue(0); step++) {
            closed.await(arguments.path("millis").longValue(0), TimeUnit.MILLISECONDS);
            ObjectNode notification = notification("notifications/progress");
            notification
                    .putObject("params")
                    .put("progress", step)
                    .set("progressToken", params.path("_meta").path("progressToken"));
            out.send(notification);
        }
    }

    private static ObjectNode environment() {
        ObjectNode result = text("environment");
        ObjectNode variables = result.putObject("structuredContent");
        System.getenv().forEach(variables::put);
        return result;
    }

    /** The process id outside of any namespace: /proc is the one of the host. */
    private static String hostPid() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self")).toString();
        } catch (IOException e) {
            return String.valueOf(ProcessHandle.current().pid());
        }
    }

    /**
     * Announces the grandchild with a mark that tests find in /proc, where a pid of a namespace
     * means nothing.
     */
    private static String spawn(JsonNode arguments) {
        String mark = arguments.path("mark").stringValue("orloj-grandchild");
        String loop = "trap '' TERM HUP INT PIPE; while :; do sleep 0.2; done";
        List<String> shell = List.of("sh", "-c", loop, mark);
        List<String> command =
                arguments.path("detached").booleanValue(false)
                        ? List.of("setsid", "sh", "-c", loop, mark)
                        : shell;
        try {
            return String.valueOf(new ProcessBuilder(command).inheritIO().start().pid());
        } catch (IOException e) {
            return "failed: " + e.getMessage();
        }
    }

    private void ask(JsonNode id, Outlet out) throws InterruptedException {
        ObjectNode result = text("asked");
        ObjectNode answers = result.putObject("structuredContent");
        for (String method : List.of("ping", "roots/list")) {
            String askedId = "server-" + askedIds.incrementAndGet();
            CompletableFuture<JsonNode> answer = new CompletableFuture<>();
            asked.put(askedId, answer);
            out.send(request(askedId, method));
            answers.set(
                    method,
                    answer.completeOnTimeout(
                                    Json.MAPPER.getNodeFactory().stringNode("no answer"),
                                    Duration.ofSeconds(5).toMillis(),
                                    TimeUnit.MILLISECONDS)
                            .join());
        }
        out.send(result(id, result));
    }

    static ObjectNode text(String text) {
        ObjectNode result = Json.MAPPER.createObjectNode();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return result;
    }

    static ObjectNode result(JsonNode id, JsonNode result) {
        ObjectNode message = message();
        message.set("id", id);
        message.set("result", result);
        return message;
    }

    static ObjectNode error(JsonNode id, int code, String text) {
        ObjectNode message = message();
        message.set("id", id);
        ObjectNode error = message.putObject("error").put("code", code).put("message", text);
        error.putObject("data").put("detail", new BigDecimal("0.10"));
        return message;
    }

    static ObjectNode notification(String method) {
        return message().put("method", method);
    }

    private static ObjectNode request(String id, String method) {
        return message().put("id", id).put("method", method);
    }

    private static ObjectNode message() {
        return Json.MAPPER.createObjectNode().put("jsonrpc", "2.0");
    }
}
