package dev.orloj.runtime.session;

import dev.orloj.api.ResourceKey;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Notifies several listeners in order. */
public record SessionListeners(List<SessionListener> listeners) implements SessionListener {

    public SessionListeners {
        listeners = List.copyOf(listeners);
    }

    @Override
    public void opened(ResourceKey server, SessionInfo session) {
        listeners.forEach(listener -> listener.opened(server, session));
    }

    @Override
    public void notAdopted(ResourceKey server, String container, String cause) {
        listeners.forEach(listener -> listener.notAdopted(server, container, cause));
    }

    @Override
    public void starting(ResourceKey server) {
        listeners.forEach(listener -> listener.starting(server));
    }

    @Override
    public void attemptFailed(ResourceKey server, FailedAttempt attempt) {
        listeners.forEach(listener -> listener.attemptFailed(server, attempt));
    }

    @Override
    public void openFailed(ResourceKey server, FailedOpening failure) {
        listeners.forEach(listener -> listener.openFailed(server, failure));
    }

    @Override
    public void removed(ResourceKey server) {
        listeners.forEach(listener -> listener.removed(server));
    }

    @Override
    public void gone(ResourceKey server) {
        listeners.forEach(listener -> listener.gone(server));
    }

    @Override
    public void closed(ResourceKey server, SessionInfo session, String cause, boolean failure) {
        listeners.forEach(listener -> listener.closed(server, session, cause, failure));
    }

    @Override
    public void toolsChanged(ResourceKey server) {
        listeners.forEach(listener -> listener.toolsChanged(server));
    }

    @Override
    public void notified(ResourceKey server, String method, @Nullable JsonNode params) {
        listeners.forEach(listener -> listener.notified(server, method, params));
    }
}
