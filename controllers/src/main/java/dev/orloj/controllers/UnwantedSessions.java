package dev.orloj.controllers;

import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.session.SessionManager;

/**
 * Closes this replica's sessions with a server that is deleted or suspended, and removes the
 * network of a deleted one. The leader closes its sessions when it reconciles the server; the other
 * replicas close theirs here.
 */
final class UnwantedSessions implements EventHandler<McpServer> {

    private final SessionManager sessions;
    private final ContainerEngine containers;

    UnwantedSessions(SessionManager sessions, ContainerEngine containers) {
        this.sessions = sessions;
        this.containers = containers;
    }

    @Override
    public void updated(McpServer before, McpServer after) {
        if (after.spec().suspension().isPresent()) {
            sessions.dismiss(after.key());
        }
    }

    @Override
    public void deleted(McpServer server) {
        sessions.dismiss(server.key());
        containers.forget(
                new ContainerOwner(
                        server.metadata().namespace(),
                        server.metadata().name(),
                        server.metadata().uid()));
    }
}
