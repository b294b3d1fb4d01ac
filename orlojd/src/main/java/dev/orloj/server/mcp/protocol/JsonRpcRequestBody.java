package dev.orloj.server.mcp.protocol;

import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.MalformedMessageException;
import dev.orloj.server.sse.ServerSentEvents;

import jakarta.servlet.http.HttpServletRequest;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * The body of one POST.
 *
 * @param messages one, unless it is a batch
 * @param rejected a description of the error for each invalid element of a batch
 */
public record JsonRpcRequestBody(
        List<JsonRpcMessage> messages, List<String> rejected, boolean isBatch) {

    /** Large enough for arguments that are files. */
    public static final int MAX_BYTES = 8 * 1024 * 1024;

    public static final int LONGEST_BATCH = 100;

    private static final String JSON = "application/json";

    /** The header of nearly all clients, which needs no parsing. */
    private static final String BOTH = JSON + ", " + ServerSentEvents.MEDIA_TYPE;

    /**
     * Reads a request whose client accepts both content types of a response.
     *
     * @throws ProtocolError when it does not, or the body is too long or not a message
     */
    public static JsonRpcRequestBody read(HttpServletRequest request) throws IOException {
        requireJson(request);
        boolean takesBoth =
                BOTH.equals(request.getHeader("Accept"))
                        || accepts(request, JSON) && accepts(request, ServerSentEvents.MEDIA_TYPE);
        if (!takesBoth) {
            throw ProtocolError.invalidRequest(
                    406,
                    "The Accept header must list %s and %s: either may be the answer"
                            .formatted(JSON, ServerSentEvents.MEDIA_TYPE));
        }
        return parse(request);
    }

    /**
     * Reads a request whose response is sent elsewhere.
     *
     * @throws ProtocolError when the body is too long or not a message
     */
    public static JsonRpcRequestBody readMessages(HttpServletRequest request) throws IOException {
        requireJson(request);
        return parse(request);
    }

    private static void requireJson(HttpServletRequest request) {
        String type = request.getContentType();
        if (type == null || !type.toLowerCase(Locale.ROOT).startsWith(JSON)) {
            throw ProtocolError.invalidRequest(415, "The Content-Type must be " + JSON);
        }
    }

    private static JsonRpcRequestBody parse(HttpServletRequest request) throws IOException {
        byte[] body = body(request);
        if (body.length == 0) {
            throw ProtocolError.unreadable("The body is empty: it must be a JSON-RPC message");
        }
        try {
            JsonRpcCodec.Decoded decoded = JsonRpcCodec.decode(body, 0, body.length);
            JsonRpcRequestBody parsed =
                    new JsonRpcRequestBody(decoded.messages(), decoded.rejected(), isArray(body));
            parsed.messages().forEach(JsonRpcRequestBody::checkParams);
            return parsed;
        } catch (MalformedMessageException e) {
            String why = String.valueOf(e.getMessage());
            throw e.getCause() instanceof JacksonException
                    ? ProtocolError.unreadable(why)
                    : ProtocolError.invalidRequest(400, why);
        }
    }

    /**
     * @throws ProtocolError (406) when the client does not accept an event stream
     */
    public static void requireStreamIsAccepted(HttpServletRequest request) {
        if (!accepts(request, ServerSentEvents.MEDIA_TYPE)) {
            throw ProtocolError.invalidRequest(
                    406, "The Accept header must list " + ServerSentEvents.MEDIA_TYPE);
        }
    }

    /**
     * Returns whether a client accepts a content type; one without an Accept header accepts all.
     */
    private static boolean accepts(HttpServletRequest request, String type) {
        String accept = request.getHeader("Accept");
        if (accept == null) {
            return true;
        }
        String range = type.substring(0, type.indexOf('/')) + "/*";
        for (String part : accept.toLowerCase(Locale.ROOT).split(",", -1)) {
            String name = part.split(";", 2)[0].strip();
            if (name.equals(type) || name.equals(range) || name.equals("*/*")) {
                return true;
            }
        }
        return false;
    }

    private static byte[] body(HttpServletRequest request) throws IOException {
        long announced = request.getContentLengthLong();
        int most = announced < 0 ? MAX_BYTES + 1 : (int) Math.min(announced, MAX_BYTES + 1);
        byte[] bytes =
                announced > MAX_BYTES ? new byte[0] : request.getInputStream().readNBytes(most);
        if (announced > MAX_BYTES || bytes.length > MAX_BYTES) {
            throw ProtocolError.invalidRequest(
                    413, "The message is too long; the limit is %d bytes".formatted(MAX_BYTES));
        }
        return bytes;
    }

    private static boolean isArray(byte[] body) {
        for (byte b : body) {
            if (b > ' ') {
                return b == '[';
            }
        }
        return false;
    }

    private static void checkParams(JsonRpcMessage message) {
        JsonNode params = message instanceof Request request ? request.params() : null;
        if (params == null) {
            return;
        }
        JsonNode meta = params.path(ReservedMeta.MEMBER);
        if (!(params instanceof ObjectNode) || !meta.isMissingNode() && !meta.isObject()) {
            throw ProtocolError.invalidMeta(
                    "\"params\" must be an object, and so must be \"params._meta\"");
        }
    }
}
