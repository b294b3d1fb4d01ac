package dev.orloj.server.mcp.protocol;

import dev.orloj.runtime.jsonrpc.JsonRpcError;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.UUID;

/** A request that failed for no reason that anybody thought of. */
public final class UnexpectedFailure {

    private static final Logger log = LoggerFactory.getLogger(UnexpectedFailure.class);

    private UnexpectedFailure() {}

    /**
     * Logs it.
     *
     * @return what the agent is told, which names the entry of the log and nothing of the cause
     */
    public static JsonRpcError report(RuntimeException cause) {
        String id = UUID.randomUUID().toString();
        log.atError()
                .setCause(cause)
                .addKeyValue("errorId", id)
                .log("MCP request failed unexpectedly");
        return new JsonRpcError(
                JsonRpcError.INTERNAL_ERROR,
                "Internal error: the log of the server tells more under the id " + id,
                null);
    }
}
