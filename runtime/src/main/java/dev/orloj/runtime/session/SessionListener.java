package dev.orloj.runtime.session;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.observation.ObservedRequest;
import dev.orloj.runtime.observation.RequestObserver;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/**
 * Hears of the life of sessions. Called on threads of the runtime, several at a time; an
 * implementation returns at once. For one session {@code opened} comes before {@code closed}.
 */
public interface SessionListener {

    /** A session did not open, and it is tried again. */
    default void attemptFailed(ResourceKey server, FailedAttempt attempt) {}

    /**
     * No session opened, and nothing is left of the opening. One that was broken off by {@link
     * SessionManager#dismiss} or made way for another is not reported.
     */
    default void openFailed(ResourceKey server, FailedOpening failure) {}

    void opened(ResourceKey server, SessionInfo session);

    /**
     * Nothing is left of the session.
     *
     * @param failure whether it ended by itself: the process died, the connection broke
     */
    void closed(ResourceKey server, SessionInfo session, String cause, boolean failure);

    /** The server was dismissed, and nothing is left of its sessions. */
    default void gone(ResourceKey server) {}

    /** The server announced that its list of tools has changed. */
    void toolsChanged(ResourceKey server);

    /**
     * The server said something that concerns none of the requests to it, and not its tools.
     *
     * @param method such as {@code notifications/message}
     * @param params as received
     */
    default void notified(ResourceKey server, String method, @Nullable JsonNode params) {}

    /**
     * A request of somebody else is about to be sent.
     *
     * @return who hears of its end
     */
    default RequestObserver requested(ObservedRequest request) {
        return RequestObserver.NONE;
    }
}
