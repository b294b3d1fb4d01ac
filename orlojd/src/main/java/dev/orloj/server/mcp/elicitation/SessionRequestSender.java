package dev.orloj.server.mcp.elicitation;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.call.CallRequest;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.subject.SubjectToken;
import dev.orloj.server.mcp.protocol.ClientSession;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Optional;

/**
 * Sends requests to a client of a revision with sessions, on the stream of its own request.
 *
 * @param stream of the response to the client's request
 * @param subjectToken of the user of that request
 */
public record SessionRequestSender(
        ClientSession session,
        ServerToClientStream stream,
        ServerToClientRequests questions,
        LogListener logs,
        Optional<SubjectToken> subjectToken)
        implements RequestingClient {

    @Override
    public ClientCapabilities capabilities() {
        return session.capabilities();
    }

    @Override
    public String user() {
        return session.caller().equals(CallRequest.ANYBODY) ? "" : session.caller();
    }

    @Override
    public Object identity() {
        return session.id();
    }

    @Override
    public JsonNode ask(ResourceKey server, String method, @Nullable JsonNode params)
            throws InterruptedException {
        return questions.ask(server, session, stream, method, params);
    }
}
