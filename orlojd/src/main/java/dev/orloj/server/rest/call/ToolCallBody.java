package dev.orloj.server.rest.call;

import dev.orloj.api.ApiException;
import dev.orloj.api.GoDuration;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.MalformedDocumentException;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.RequestBody;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Optional;

/**
 * The body of a tool call: {@code {"arguments": {...}, "timeout": "10s"}}, both optional.
 *
 * @param arguments a missing node when there are none
 */
record ToolCallBody(JsonNode arguments, Optional<Duration> timeout) {

    /**
     * @throws ApiException (BadRequest, UnsupportedMediaType) when the body is anything else
     */
    static ToolCallBody of(RequestBody body) {
        if (body.isEmpty()) {
            return new ToolCallBody(MissingNode.getInstance(), Optional.empty());
        }
        if (!body.contentType().equals(MediaTypes.JSON)) {
            throw MediaTypes.unsupported(MediaTypes.JSON);
        }
        JsonNode root = read(body.bytes());
        if (!(root instanceof ObjectNode call)) {
            throw malformed("expected an object such as {\"arguments\": {...}}");
        }
        JsonNode arguments = MissingNode.getInstance();
        Optional<Duration> timeout = Optional.empty();
        for (var field : call.properties()) {
            switch (field.getKey()) {
                case "arguments" -> arguments = object(field.getValue());
                case "timeout" -> timeout = Optional.of(duration(field.getValue()));
                default ->
                        throw malformed(
                                "unknown field \"%s\", expected arguments and timeout"
                                        .formatted(field.getKey()));
            }
        }
        return new ToolCallBody(arguments, timeout);
    }

    private static JsonNode read(byte[] bytes) {
        try {
            return Json.MAPPER.readTree(bytes);
        } catch (JacksonException e) {
            throw malformed(String.valueOf(MalformedDocumentException.of(e).getMessage()));
        }
    }

    private static JsonNode object(JsonNode arguments) {
        if (!arguments.isObject()) {
            throw malformed("\"arguments\" must be an object, one field for each argument");
        }
        return arguments;
    }

    private static Duration duration(JsonNode timeout) {
        try {
            Duration duration = new GoDuration(timeout.asString("?")).toDuration();
            if (timeout.isString() && duration.isPositive()) {
                return duration;
            }
        } catch (IllegalArgumentException e) {
            throw malformed("\"timeout\": %s: %s".formatted(timeout, e.getMessage()));
        }
        throw malformed("\"timeout\": %s: must be text such as \"30s\"".formatted(timeout));
    }

    private static ApiException malformed(String why) {
        return ApiException.badRequest("the body of the call cannot be used: " + why);
    }
}
