package dev.orloj.server.mcp.elicitation;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.RequestHeaders;
import dev.orloj.server.mcp.protocol.ReservedMeta;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The client of a request in progress: where progress goes, and who answers requests of the server.
 *
 * @param progress receives the progress notifications
 * @param client answers requests of the server
 */
public record CallingClient(ProgressListener progress, RequestingClient client) {

    /** No client: drops progress, and declines requests of the server. */
    public static final CallingClient NONE =
            new CallingClient(ProgressListener.NONE, RequestingClient.NONE);

    /** No client of the user of a request. */
    public static CallingClient noneOf(RequestHeaders headers) {
        return headers.user().isEmpty()
                ? NONE
                : new CallingClient(
                        ProgressListener.NONE,
                        RequestingClient.ofUser(headers.user(), headers.subjectToken()));
    }

    /**
     * A client that receives progress on a stream, under the token that it chose for the request.
     */
    public static CallingClient on(
            ServerToClientStream stream, ClientRequest request, RequestingClient client) {
        ProgressListener progress =
                request.progressToken()
                        .<ProgressListener>map(
                                token -> params -> stream.send(progressed(token, params)))
                        .orElse(ProgressListener.NONE);
        return new CallingClient(progress, client);
    }

    private static Notification progressed(JsonNode token, ObjectNode params) {
        ObjectNode forwarded = Json.MAPPER.createObjectNode().setAll(params);
        forwarded.set(ReservedMeta.PROGRESS_TOKEN, token);
        return new Notification("notifications/progress", forwarded);
    }
}
