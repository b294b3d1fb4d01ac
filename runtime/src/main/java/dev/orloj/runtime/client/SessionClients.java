package dev.orloj.runtime.client;

/** The clients that a session has worked for. */
public sealed interface SessionClients {

    /** None yet. */
    record None() implements SessionClients {}

    /** One, by what it is known by. */
    record One(Object client) implements SessionClients {}

    /** More than one: of what the server says unasked nobody can tell whom it concerns. */
    record Several() implements SessionClients {}

    /** After a request of this one. */
    default SessionClients and(Object client) {
        return switch (this) {
            case None _ -> new One(client);
            case One(Object known) -> known.equals(client) ? this : new Several();
            case Several _ -> this;
        };
    }
}
