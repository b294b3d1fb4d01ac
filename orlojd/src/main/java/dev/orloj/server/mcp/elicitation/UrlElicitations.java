package dev.orloj.server.mcp.elicitation;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.MultiRoundTrip;
import dev.orloj.server.mcp.subscriptions.Subscriptions;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Remembers which client was asked to visit a page, so that only this one is notified when the
 * server reports completion (2025-11-25, Elicitation, "Completion Notifications for URL Mode
 * Elicitation"). Clients of 2026-07-28 receive no such notification. Thread-safe.
 */
public final class UrlElicitations {

    public static final String COMPLETE = "notifications/elicitation/complete";

    /** Of all clients; beyond that the oldest have probably been abandoned. */
    private static final int MOST = 10_000;

    /** Only a hostile server has longer ids. */
    private static final int LONGEST_ID = 256;

    private static final String ID = MultiRoundTrip.ELICITATION_ID;

    private record Asked(ResourceKey server, String elicitation) {}

    /** Ids of the sessions, oldest first. */
    @GuardedBy("this")
    private final SequencedMap<Asked, String> sessions = new LinkedHashMap<>();

    /**
     * Records an elicitation that goes to a client.
     *
     * @param params of {@code elicitation/create}, in any mode
     */
    public void asked(ResourceKey server, ClientSession session, JsonNode params) {
        JsonNode id = params.path(ID);
        if (id.isString() && id.stringValue().length() <= LONGEST_ID) {
            remember(new Asked(server, id.stringValue()), session.id());
        }
    }

    private synchronized void remember(Asked asked, String session) {
        sessions.putLast(asked, session);
        if (sessions.size() > MOST) {
            sessions.pollFirstEntry();
        }
    }

    /** Notifies the client that was asked, once, where it listens at this replica. */
    public void completed(ResourceKey server, ObjectNode params, Subscriptions subscriptions) {
        session(server, params)
                .ifPresent(
                        session ->
                                subscriptions.send(
                                        server,
                                        new Notification(COMPLETE, params),
                                        to -> to.session().equals(session)));
    }

    private synchronized Optional<String> session(ResourceKey server, ObjectNode params) {
        return Optional.ofNullable(
                sessions.remove(new Asked(server, params.path(ID).asString(""))));
    }
}
