package dev.orloj.runtime.session;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.session.definition.ServerDefinition;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.concurrent.ExecutionException;

/** What tests do with sessions in one step, and the product in several. */
public final class TestSessions {

    private TestSessions() {}

    /** Returns the open session for this definition, or opens one; it may end at any time. */
    public static Session sessionFor(SessionManager manager, ServerDefinition definition)
            throws InterruptedException {
        try {
            return manager.begin(definition).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SessionOpenException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Dismisses a server, and returns when all its sessions are closed. */
    public static void retire(SessionManager manager, ResourceKey server)
            throws InterruptedException {
        for (SessionSupervisor supervisor : manager.startRetiring(server)) {
            supervisor.awaitGone();
        }
    }

    /** Calls a tool in any session with a server, for a client that accepts no requests. */
    public static JsonNode callTool(
            SessionManager manager,
            ServerDefinition definition,
            String toolName,
            JsonNode arguments,
            Duration timeout)
            throws InterruptedException {
        SessionRequest request = request(toolName, arguments, timeout);
        return manager.withSession(definition, request, session -> session.call(request));
    }

    /** Calls a tool for a client that accepts no requests. */
    public static JsonNode callTool(
            Session session, String toolName, JsonNode arguments, Duration timeout)
            throws InterruptedException {
        return session.call(request(toolName, arguments, timeout));
    }

    private static SessionRequest request(String toolName, JsonNode arguments, Duration timeout) {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.put("name", toolName);
        params.set("arguments", arguments);
        return new SessionRequest("tools/call", params, timeout, ProgressListener.NONE);
    }
}
