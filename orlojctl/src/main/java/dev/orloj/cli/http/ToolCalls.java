package dev.orloj.cli.http;

import dev.orloj.api.ApiException;
import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/** Calls tools with more than one response. Safe for many threads. */
public final class ToolCalls {

    private static final String EVENTS = "text/event-stream";
    private static final String PROGRESS = "progress";
    private static final String RESULT = "result";
    private static final String ERROR = "error";

    private final ApiConnection connection;

    public ToolCalls(ApiConnection connection) {
        this.connection = connection;
    }

    /**
     * Makes a call and reports its progress.
     *
     * @param progress receives the params of the MCP server's progress notifications, on this
     *     thread
     * @return the result, unchanged
     * @throws ApiException with which the call was rejected
     * @throws ConnectionException when the stream was interrupted; the call is then cancelled
     */
    public byte[] follow(Request call, Consumer<JsonNode> progress) {
        try (Answer answer = connection.send(call.accepting(EVENTS));
                BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            String event = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event:")) {
                    event = line.substring("event:".length()).strip();
                } else if (line.startsWith("data:")) {
                    String data = line.substring("data:".length()).strip();
                    switch (event) {
                        case PROGRESS -> progress.accept(Json.MAPPER.readTree(data));
                        case RESULT -> {
                            return data.getBytes(StandardCharsets.UTF_8);
                        }
                        case ERROR -> throw ResponseErrors.fromStatus(Json.MAPPER.readTree(data));
                        default -> {} // an event of a newer server
                    }
                }
            }
            throw new IOException("the answer ended before the result");
        } catch (IOException e) {
            throw connection.unreachable(e);
        }
    }

    /**
     * Returns the result of a call that was started before; empty while it is running.
     *
     * @param tool path of the Tool
     * @throws ApiException the reason why there is no result
     */
    public Optional<JsonNode> result(String tool, String id) {
        JsonNode call =
                Json.MAPPER.readTree(
                        connection.read(Request.get(tool + "/calls/" + Request.encode(id))));
        if (call.has(ERROR)) {
            throw ResponseErrors.fromStatus(call.path(ERROR));
        }
        return call.optional(RESULT);
    }
}
