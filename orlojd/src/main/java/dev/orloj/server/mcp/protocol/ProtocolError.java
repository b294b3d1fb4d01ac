package dev.orloj.server.mcp.protocol;

import dev.orloj.api.ApiException;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.transport.ProtocolRevision;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A request that ends with a JSON-RPC error, of the gateway itself or of a server. */
public final class ProtocolError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final int PARSE_ERROR = -32700;
    private static final int INVALID_REQUEST = -32600;
    private static final int HEADER_MISMATCH = -32020;
    private static final int MISSING_CAPABILITY = -32021;
    private static final int UNSUPPORTED_VERSION = -32022;

    private final int status;
    private final transient JsonRpcError error;

    /**
     * @param status HTTP status, in revisions that allow statuses other than 200
     */
    private ProtocolError(int status, JsonRpcError error) {
        super(error.message());
        this.status = status;
        this.error = error;
    }

    public int status() {
        return status;
    }

    /** Returns the status that says the same, also where revisions answer with 200. */
    public int httpStatus() {
        if (status >= 400) {
            return status;
        }
        return error.code() == JsonRpcError.INVALID_PARAMS ? 400 : 500;
    }

    public JsonRpcError error() {
        return error;
    }

    /** The body is not JSON. */
    static ProtocolError unreadable(String why) {
        return of(400, PARSE_ERROR, why);
    }

    /** The message is not a valid request at this endpoint. */
    public static ProtocolError invalidRequest(int status, String why) {
        return of(status, INVALID_REQUEST, why);
    }

    public static ProtocolError unknown(String subject) {
        return invalidParams("Unknown: \"%s\"".formatted(subject));
    }

    public static ProtocolError invalidParams(String why) {
        return of(200, JsonRpcError.INVALID_PARAMS, why);
    }

    /** The {@code _meta} that every request needs is missing. */
    static ProtocolError invalidMeta(String why) {
        return of(400, JsonRpcError.INVALID_PARAMS, why);
    }

    public static ProtocolError methodNotFound(String method) {
        return of(
                404,
                JsonRpcError.METHOD_NOT_FOUND,
                "Method \"%s\" is not served here".formatted(method));
    }

    /** The headers differ from the body. */
    public static ProtocolError headerMismatch(String why) {
        return of(400, HEADER_MISMATCH, "Header mismatch: " + why);
    }

    public static ProtocolError unsupportedVersion(String requested) {
        ObjectNode data = Json.MAPPER.createObjectNode();
        ProtocolRevision.streamableHttp().forEach(data.putArray("supported")::add);
        data.put("requested", requested);
        return new ProtocolError(
                400,
                new JsonRpcError(
                        UNSUPPORTED_VERSION,
                        "Protocol version \"%s\" is not served; use one of %s"
                                .formatted(
                                        requested,
                                        String.join(", ", ProtocolRevision.streamableHttp())),
                        data));
    }

    /**
     * A server needs its user to visit a page, and the client did not declare that it can show one.
     */
    public static ProtocolError missingUrlElicitation(String why) {
        ObjectNode data = Json.MAPPER.createObjectNode();
        data.putObject("requiredCapabilities").putObject("elicitation").putObject("url");
        return new ProtocolError(400, new JsonRpcError(MISSING_CAPABILITY, why, data));
    }

    /** A component behind the gateway failed. */
    public static ProtocolError internal(String why, @Nullable JsonNode data) {
        return new ProtocolError(200, new JsonRpcError(JsonRpcError.INTERNAL_ERROR, why, data));
    }

    /** The request would loop between gateways. */
    public static ProtocolError loop(String why) {
        return of(508, INVALID_REQUEST, why);
    }

    /** The error that the REST API would return, such as an unavailable database. */
    public static ProtocolError ofApi(ApiException e) {
        return of(e.reason().code(), JsonRpcError.INTERNAL_ERROR, e.getMessage());
    }

    /** The error of another replica. */
    public static ProtocolError ofReplica(int status, JsonRpcError error) {
        return new ProtocolError(status, error);
    }

    /** The error of a server. */
    public static ProtocolError ofServer(JsonRpcError error) {
        return new ProtocolError(error.code() == MISSING_CAPABILITY ? 400 : 200, error);
    }

    private static ProtocolError of(int status, int code, String message) {
        return new ProtocolError(status, new JsonRpcError(code, message, null));
    }
}
