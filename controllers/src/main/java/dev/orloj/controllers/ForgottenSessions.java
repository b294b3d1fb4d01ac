package dev.orloj.controllers;

import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.runtime.session.SessionManager;

/**
 * Closes this replica's sessions with a server that is gone. The replica that leads has closed its
 * own before it let the server go; the others learn of it here.
 */
final class ForgottenSessions implements EventHandler<McpServer> {

    private final SessionManager sessions;

    ForgottenSessions(SessionManager sessions) {
        this.sessions = sessions;
    }

    @Override
    public void added(McpServer server, boolean initial) {}

    @Override
    public void updated(McpServer before, McpServer after) {}

    @Override
    public void deleted(McpServer server) {
        sessions.dismiss(server.key());
    }
}
