package dev.orloj.controllers;

import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.runtime.session.SessionManager;

/**
 * Closes this replica's sessions with a server that is gone or suspended. The replica that leads
 * closes its own when it reconciles the server; the others learn of it here.
 */
final class UnwantedSessions implements EventHandler<McpServer> {

    private final SessionManager sessions;

    UnwantedSessions(SessionManager sessions) {
        this.sessions = sessions;
    }

    @Override
    public void added(McpServer server, boolean initial) {}

    @Override
    public void updated(McpServer before, McpServer after) {
        if (after.spec().suspension().isPresent()) {
            sessions.dismiss(after.key());
        }
    }

    @Override
    public void deleted(McpServer server) {
        sessions.dismiss(server.key());
    }
}
