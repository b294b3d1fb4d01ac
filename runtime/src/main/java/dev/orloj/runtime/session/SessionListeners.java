package dev.orloj.runtime.session;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.definition.SessionKey;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.function.Consumer;

/**
 * Notifies several listeners in order. The failure of one does not keep an event from the others:
 * the first failure is thrown after all have been called, with the later ones as suppressed.
 */
public record SessionListeners(List<SessionListener> listeners) implements SessionListener {

    public SessionListeners {
        listeners = List.copyOf(listeners);
    }

    @Override
    public void opened(ResourceKey server, SessionInfo session) {
        notifyAll(listener -> listener.opened(server, session));
    }

    @Override
    public void notAdopted(ResourceKey server, String container, String cause) {
        notifyAll(listener -> listener.notAdopted(server, container, cause));
    }

    @Override
    public void starting(ResourceKey server, SessionKey key) {
        notifyAll(listener -> listener.starting(server, key));
    }

    @Override
    public void attemptFailed(ResourceKey server, FailedAttempt attempt) {
        notifyAll(listener -> listener.attemptFailed(server, attempt));
    }

    @Override
    public void openFailed(ResourceKey server, FailedOpening failure) {
        notifyAll(listener -> listener.openFailed(server, failure));
    }

    @Override
    public void removed(ResourceKey server) {
        notifyAll(listener -> listener.removed(server));
    }

    @Override
    public void gone(ResourceKey server) {
        notifyAll(listener -> listener.gone(server));
    }

    @Override
    public void closed(ResourceKey server, SessionInfo session, String cause, boolean failure) {
        notifyAll(listener -> listener.closed(server, session, cause, failure));
    }

    @Override
    public void toolsChanged(ResourceKey server) {
        notifyAll(listener -> listener.toolsChanged(server));
    }

    @Override
    public void notified(ResourceKey server, String method, @Nullable JsonNode params) {
        notifyAll(listener -> listener.notified(server, method, params));
    }

    private void notifyAll(Consumer<SessionListener> event) {
        Throwable first = null;
        for (SessionListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException | Error e) { // thrown again below
                if (first == null) {
                    first = e;
                } else if (first != e) {
                    first.addSuppressed(e);
                }
            }
        }
        if (first instanceof RuntimeException failure) {
            throw failure;
        }
        if (first instanceof Error failure) {
            throw failure;
        }
    }
}
