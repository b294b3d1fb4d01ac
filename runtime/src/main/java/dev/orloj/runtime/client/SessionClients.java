package dev.orloj.runtime.client;

/** The clients that a session has served. */
public sealed interface SessionClients {

    /** None yet. */
    record None() implements SessionClients {}

    /** One client, by its identity. */
    record One(Object client) implements SessionClients {}

    /** More than one: an unsolicited message of the server cannot be attributed. */
    record Several() implements SessionClients {}

    /** Returns the clients after a request of this client. */
    default SessionClients and(Object client) {
        return switch (this) {
            case None _ -> new One(client);
            case One(Object known) -> known.equals(client) ? this : new Several();
            case Several _ -> this;
        };
    }
}
