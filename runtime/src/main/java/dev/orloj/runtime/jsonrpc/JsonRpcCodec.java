package dev.orloj.runtime.jsonrpc;

import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.MalformedDocumentException;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Encodes and decodes JSON-RPC 2.0 messages. Strict about the required members of a message;
 * unknown members are ignored and kept in the trees.
 */
public final class JsonRpcCodec {

    private static final String VERSION = "2.0";

    private JsonRpcCodec() {}

    /**
     * The content of a received document.
     *
     * @param messages one message, or those of a batch (revision 2025-03-26) in order
     * @param rejected the error of each element of a batch that is not a message
     */
    public record Decoded(List<JsonRpcMessage> messages, List<String> rejected) {

        public Decoded {
            messages = List.copyOf(messages);
            rejected = List.copyOf(rejected);
        }
    }

    /** Returns the message as one line of UTF-8 without a line end. */
    public static byte[] encode(JsonRpcMessage message) {
        return Json.MAPPER.writeValueAsBytes(toTree(message));
    }

    /**
     * @throws MalformedMessageException when the bytes are not JSON, or neither a message nor a
     *     batch
     */
    public static Decoded decode(byte[] bytes, int offset, int length) {
        JsonNode tree;
        try {
            tree = Json.MAPPER.readTree(bytes, offset, length);
        } catch (JacksonException e) {
            String why = String.valueOf(MalformedDocumentException.of(e).getMessage());
            throw new MalformedMessageException("Not JSON: " + why, e);
        }
        if (!tree.isArray()) {
            return new Decoded(List.of(fromTree(tree)), List.of());
        }
        if (tree.isEmpty()) {
            throw new MalformedMessageException("An empty batch");
        }
        List<JsonRpcMessage> messages = new ArrayList<>(tree.size());
        List<String> rejected = new ArrayList<>();
        for (JsonNode element : tree) {
            try {
                messages.add(fromTree(element));
            } catch (MalformedMessageException e) {
                rejected.add(String.valueOf(e.getMessage()));
            }
        }
        return new Decoded(messages, rejected);
    }

    /** Returns the message as a JSON value. */
    public static ObjectNode toTree(JsonRpcMessage message) {
        ObjectNode tree = Json.MAPPER.createObjectNode().put("jsonrpc", VERSION);
        switch (message) {
            case Request(JsonNode id, String method, JsonNode params) -> {
                tree.set("id", id);
                tree.put("method", method);
                setPresent(tree, "params", params);
            }
            case Notification(String method, JsonNode params) -> {
                tree.put("method", method);
                setPresent(tree, "params", params);
            }
            case Response(JsonNode id, JsonNode result) -> {
                tree.set("id", id);
                tree.set("result", result);
            }
            case ErrorResponse(JsonNode id, JsonRpcError error) -> {
                tree.set("id", id == null ? tree.nullNode() : id);
                tree.set("error", toTree(error));
            }
        }
        return tree;
    }

    /** Returns the error as a JSON value. */
    public static ObjectNode toTree(JsonRpcError error) {
        ObjectNode tree = Json.MAPPER.createObjectNode();
        tree.put("code", error.code()).put("message", error.message());
        setPresent(tree, "data", error.data());
        return tree;
    }

    private static void setPresent(ObjectNode tree, String name, @Nullable JsonNode value) {
        if (value != null) {
            tree.set(name, value);
        }
    }

    /**
     * Converts a JSON value to a message; batches are not allowed.
     *
     * @throws MalformedMessageException when the value is not a message
     */
    public static JsonRpcMessage fromTree(JsonNode tree) {
        if (!tree.isObject()) {
            throw new MalformedMessageException("Not a JSON-RPC message but a JSON " + kind(tree));
        }
        JsonNode version = tree.get("jsonrpc");
        if (version == null || !version.isString() || !version.stringValue().equals(VERSION)) {
            throw new MalformedMessageException("A JSON object without \"jsonrpc\": \"2.0\"");
        }
        JsonNode id = id(tree);
        JsonNode method = tree.get("method");
        if (method != null) {
            return call(id, method, tree.get("params"));
        }
        JsonNode error = tree.get("error");
        if (error != null && !error.isNull()) {
            return new ErrorResponse(id, errorFromTree(error));
        }
        JsonNode result = tree.get("result");
        if (result == null) {
            throw new MalformedMessageException(
                    "A message with none of \"method\", \"result\" and \"error\"");
        }
        if (id == null) {
            throw new MalformedMessageException("A result without an \"id\"");
        }
        return new Response(id, result);
    }

    private static JsonRpcMessage call(
            @Nullable JsonNode id, JsonNode method, @Nullable JsonNode params) {
        if (!method.isString()) {
            throw new MalformedMessageException(
                    "A \"method\" that is no string but a " + kind(method));
        }
        return id == null
                ? new Notification(method.stringValue(), params)
                : new Request(id, method.stringValue(), params);
    }

    private static @Nullable JsonNode id(JsonNode tree) {
        JsonNode id = tree.get("id");
        if (id == null || id.isNull()) {
            return null;
        }
        if (!id.isString() && !id.isNumber()) {
            throw new MalformedMessageException(
                    "An \"id\" that is neither string nor number but a " + kind(id));
        }
        return id;
    }

    /**
     * Converts a JSON value to an error. Repairs a malformed error instead of refusing it, because
     * the requester has to receive it.
     */
    public static JsonRpcError errorFromTree(JsonNode error) {
        JsonNode code = error.get("code");
        JsonNode message = error.get("message");
        return new JsonRpcError(
                code != null && code.canConvertToInt()
                        ? code.intValue()
                        : JsonRpcError.INTERNAL_ERROR,
                message != null && message.isString() ? message.stringValue() : error.toString(),
                error.get("data"));
    }

    private static String kind(JsonNode node) {
        return node.getNodeType().name().toLowerCase(Locale.ROOT);
    }
}
