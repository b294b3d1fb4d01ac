package dev.orloj.controllers.mcpserver;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.control.RetryException;
import dev.orloj.controllers.events.EventRecorder;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.session.McpProtocolException;
import dev.orloj.runtime.session.Session;
import dev.orloj.runtime.session.SessionClosedException;
import dev.orloj.runtime.session.ToolListing;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.TransportException;

/** Lists the tools of a server and makes its Tools the same: all differences in one batch. */
final class ToolSync {

    private final ResourceClient client;
    private final StatusWriter status;
    private final EventRecorder events;

    ToolSync(ResourceClient client, StatusWriter status, EventRecorder events) {
        this.client = client;
        this.status = status;
        this.events = events;
    }

    /**
     * @param server as it is stored now; newer than the one of the view
     * @return the server as it is stored afterwards
     * @throws RetryException when the tools cannot be listed or written; the status says so
     */
    McpServer sync(McpServer server, McpServerView view, Session session)
            throws InterruptedException {
        ToolListing listing = list(server, view, session);
        ToolPlan plan = ToolPlan.of(view, listing.tools());
        if (!plan.changesNothing()) {
            write(server, view, plan, session);
        }
        ServerNotes.of(plan).ifPresent(note -> events.record(server, note));
        return status.write(
                server, new Observation.Synced(session.identity(), plan, listing.notes()));
    }

    private ToolListing list(McpServer server, McpServerView view, Session session)
            throws InterruptedException {
        try {
            return session.discoverTools();
        } catch (SessionClosedException e) {
            throw new RetryException("The session ended before its tools were listed", e);
        } catch (JsonRpcException
                | McpProtocolException
                | RequestTimeoutException
                | TransportException e) {
            throw failed(
                    server,
                    view,
                    session,
                    ServerStatus.LIST_FAILED,
                    "The tools cannot be listed",
                    e);
        }
    }

    private void write(McpServer server, McpServerView view, ToolPlan plan, Session session) {
        try {
            client.writeAll(Tool.KIND, plan.writes());
        } catch (ApiException e) {
            if (e.reason() == ErrorReason.INVALID || e.reason() == ErrorReason.FORBIDDEN) {
                throw failed(
                        server,
                        view,
                        session,
                        ServerStatus.TOOLS_REFUSED,
                        "The Tools were refused",
                        e);
            }
            throw e;
        }
    }

    private RetryException failed(
            McpServer server,
            McpServerView view,
            Session session,
            String reason,
            String what,
            RuntimeException cause) {
        String message = Sentence.of(view.withoutSecrets(what + ": " + cause.getMessage()));
        status.write(server, new Observation.NotSynced(session.identity(), reason, message));
        return new RetryException(message, cause);
    }
}
