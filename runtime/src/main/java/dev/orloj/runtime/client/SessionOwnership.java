package dev.orloj.runtime.client;

import dev.orloj.runtime.subject.SubjectIdentifier;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/** Decides which client owns a session when clients do not share sessions. */
public final class SessionOwnership {

    /** The requests that may reveal data of a client to a server. */
    private static final Set<String> METHODS =
            Set.of(
                    "tools/call",
                    "prompts/get",
                    "resources/read",
                    "completion/complete",
                    "logging/setLevel");

    /** The owner shared by all clients of one user that receive only results. */
    private record ResultsOf(String user) {}

    /** A client, and the user whose tokens its sessions have. */
    private record OnBehalfOf(SubjectIdentifier user, Object client) {}

    /** The owner shared by all clients without a user that receive only results. */
    private static final Object NO_LISTENER = "clients that receive results only";

    private SessionOwnership() {}

    /** Returns the owner of a session for the request; null when any session may be used. */
    static @Nullable public Object of(SessionRequest request, ServerRequestPolicy requestPolicy) {
        if (!METHODS.contains(request.method())) {
            return null;
        }
        RequestingClient client = request.client();
        boolean isAsked =
                client.isReachable()
                        && !requestPolicy.towardsOlder(client.capabilities()).isEmpty();
        if (isAsked || client.logs().isListening()) {
            return client.identity();
        }
        return client.user().isEmpty() ? NO_LISTENER : new ResultsOf(client.user());
    }

    /** Returns the owner of the sessions of a user, which no other user can be. */
    public static Object onBehalfOf(SubjectIdentifier user, Object owner) {
        return new OnBehalfOf(user, owner);
    }

    public static boolean hasNoListener(Object owner) {
        return owner.equals(NO_LISTENER);
    }

    /** Returns whether the owner is a client that cannot be recognized in later requests. */
    public static boolean isPassing(Object owner) {
        return owner instanceof RequestingClient
                || owner instanceof OnBehalfOf(SubjectIdentifier _, Object client)
                        && isPassing(client);
    }
}
