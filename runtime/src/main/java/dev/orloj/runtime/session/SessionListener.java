package dev.orloj.runtime.session;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.definition.SessionKey;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/**
 * Receives events of sessions. Called concurrently on threads of the runtime; must return at once.
 * For one session, {@code opened} is called before {@code closed}.
 */
public interface SessionListener {

    /** A session begins to open, after the start of its process has waited for its turn. */
    default void starting(ResourceKey server, SessionKey key) {}

    /** An attempt to open a session failed and will be retried. */
    default void attemptFailed(ResourceKey server, FailedAttempt attempt) {}

    /**
     * An opening failed, and its process has ended. {@link SessionManager#openingSince} returns it
     * until {@link #removed}. Not called for an opening that was cancelled by {@link
     * SessionManager#dismiss} or replaced by another one.
     */
    default void openFailed(ResourceKey server, FailedOpening failure) {}

    void opened(ResourceKey server, SessionInfo session);

    /**
     * A server that ran already did not serve the session, and is replaced.
     *
     * @param container the name of its container
     */
    default void notAdopted(ResourceKey server, String container, String cause) {}

    /**
     * The session is closed. {@link SessionManager#sessions} contains it until {@link #removed}.
     *
     * @param failure whether it failed: the process died or the connection broke
     */
    void closed(ResourceKey server, SessionInfo session, String cause, boolean failure);

    /**
     * A session or an opening is not known to the {@link SessionManager} any more. Called after
     * {@link #closed} or {@link #openFailed}, but also for an opening that was cancelled, or that
     * waited for the outcome of another one.
     */
    default void removed(ResourceKey server) {}

    /** The server was dismissed, and all its sessions are closed. */
    default void gone(ResourceKey server) {}

    /** The server sent a notification that its list of tools has changed. */
    void toolsChanged(ResourceKey server);

    /**
     * The server sent a notification that neither belongs to a request nor concerns its tools.
     *
     * @param method such as {@code notifications/message}
     * @param params as received
     */
    default void notified(ResourceKey server, String method, @Nullable JsonNode params) {}
}
