package dev.orloj.server.mcp.methods;

import dev.orloj.runtime.jsonrpc.JsonRpcError;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.UUID;

/** Reports requests that fail for an unexpected reason. */
final class UnexpectedFailure {

    private static final Logger log = LoggerFactory.getLogger(UnexpectedFailure.class);

    private UnexpectedFailure() {}

    /**
     * Logs the failure.
     *
     * @return the error for the client, which contains the id of the log entry and no detail of the
     *     cause
     */
    static JsonRpcError report(RuntimeException cause) {
        String id = UUID.randomUUID().toString();
        log.atError()
                .setCause(cause)
                .addKeyValue("errorId", id)
                .log("MCP request failed unexpectedly");
        return new JsonRpcError(
                JsonRpcError.INTERNAL_ERROR,
                "Internal error: see the log of the server under the id " + id,
                null);
    }
}
