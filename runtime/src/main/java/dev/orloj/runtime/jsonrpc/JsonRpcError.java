package dev.orloj.runtime.jsonrpc;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** The {@code error} member of a JSON-RPC response. {@code data} is kept as it was received. */
public record JsonRpcError(int code, String message, @Nullable JsonNode data) {

    public static final int METHOD_NOT_FOUND = -32601;
    public static final int INVALID_PARAMS = -32602;
    public static final int INTERNAL_ERROR = -32603;

    /** Defined by MCP 2025-11-25 only. */
    public static final int URL_ELICITATION_REQUIRED = -32042;
}
