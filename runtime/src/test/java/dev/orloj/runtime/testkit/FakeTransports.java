package dev.orloj.runtime.testkit;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.container.spec.PodReuse;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.transport.OutgoingRequest;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.Transports;
import dev.orloj.runtime.workload.LogBuffer;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A scripted MCP server in memory: every connection to it answers as this script says. Knows one
 * tool, {@code echo}, until a test changes that. What was asked of it can be counted.
 */
public final class FakeTransports implements Transports {

    /** Answers one request; may block until the test lets it go on, and may throw. */
    @FunctionalInterface
    public interface Handler {
        JsonNode answer(FakeTransport connection, JsonNode params) throws InterruptedException;
    }

    private final Map<String, Handler> handlers = new ConcurrentHashMap<>();
    private final List<FakeTransport> made = new CopyOnWriteArrayList<>();

    private volatile @Nullable String image;
    private volatile boolean runAlready = false;
    private volatile Consumer<OutgoingRequest> observer = request -> {};

    public FakeTransports() {
        on("initialize", (connection, params) -> initializeResult(params));
        on("ping", (connection, params) -> json("{}"));
        on("tools/list", (connection, params) -> json(ECHO_LIST));
        on("tools/call", (connection, params) -> echo(params));
    }

    private static final String ECHO_LIST =
            """
            {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}
            """;

    public FakeTransports on(String method, Handler handler) {
        handlers.put(method, handler);
        return this;
    }

    /** From now on gets every request, on the thread that sends it. */
    public void observeRequests(Consumer<OutgoingRequest> newObserver) {
        observer = newObserver;
    }

    void sent(OutgoingRequest request) {
        observer.accept(request);
    }

    @Override
    public Transport create(ServerAddress address, LogBuffer stderr, String label) {
        FakeTransport transport = new FakeTransport(this, address, stderr, image);
        made.add(transport);
        return transport;
    }

    /** From now on connections are to containers of this image. */
    public void image(String id) {
        image = id;
    }

    /** From now on connections are to servers that ran before, where the address allows it. */
    public void runAlready() {
        runAlready = true;
        image = "image";
    }

    boolean isAdopted(ServerAddress address) {
        return runAlready
                && address instanceof ServerAddress.Pod pod
                && pod.reuse() instanceof PodReuse.Kept(boolean mayAdopt, _)
                && mayAdopt;
    }

    /** All connections, in the order in which they were made. */
    public List<FakeTransport> made() {
        return List.copyOf(made);
    }

    public FakeTransport latest() {
        return made.getLast();
    }

    /** Connections that are still to be closed. */
    public List<FakeTransport> open() {
        return made.stream()
                .filter(transport -> transport.isStarted() && !transport.isClosed())
                .toList();
    }

    /** Requests and notifications of this method, over all connections. */
    public long count(String method) {
        return made.stream().flatMap(t -> t.received().stream()).filter(method::equals).count();
    }

    JsonNode answer(FakeTransport connection, String method, JsonNode params)
            throws InterruptedException {
        Handler handler = handlers.get(method);
        if (handler == null) {
            throw new JsonRpcException(
                    new JsonRpcError(JsonRpcError.METHOD_NOT_FOUND, "Method not found", null));
        }
        return handler.answer(connection, params);
    }

    public static JsonNode json(String text) {
        return Json.MAPPER.readTree(text);
    }

    public static JsonNode initializeResult(JsonNode params) {
        return json(
                """
                {"protocolVersion": "%s",
                 "capabilities": {"tools": {"listChanged": true}},
                 "serverInfo": {"name": "fake", "version": "1"}}
                """
                        .formatted(params.path("protocolVersion").asString()));
    }

    /** A result whose text is the arguments. */
    public static JsonNode echo(JsonNode params) {
        var result = Json.MAPPER.createObjectNode();
        result.putArray("content")
                .addObject()
                .put("type", "text")
                .put("text", params.path("arguments").toString());
        return result;
    }
}
