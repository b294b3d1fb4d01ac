package dev.orloj.server.mcp.methods;

import dev.orloj.runtime.client.LogLevel;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.server.mcp.elicitation.ServerToClientStream;
import dev.orloj.server.mcp.protocol.ClientRequest;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/**
 * Sends the log messages of a server to the client whose request caused them, on the stream of the
 * response. In 2026-07-28 only clients that request log messages receive them; in older revisions
 * the server decides for a client that set no level.
 *
 * @param level that the client set, with its request or for its session
 */
public record RequestLogs(
        ClientRequest request, Optional<LogLevel> level, ServerToClientStream stream)
        implements LogListener {

    @Override
    public boolean isListening() {
        return level.isPresent() || request.era().getsLogsUnasked();
    }

    @Override
    public void logged(ObjectNode params) {
        boolean isWanted =
                level.map(wanted -> wanted.admits(params)).orElse(request.era().getsLogsUnasked());
        if (isWanted) {
            stream.send(new Notification(METHOD, params));
        }
    }
}
