package dev.orloj.runtime.client;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/** Whose a session is, where clients do not share one. */
public final class SessionOwnership {

    /** The requests in which a server may get to know something of a client. */
    private static final Set<String> METHODS =
            Set.of(
                    "tools/call",
                    "prompts/get",
                    "resources/read",
                    "completion/complete",
                    "logging/setLevel");

    /** All those to whom a server can say nothing but the result share a session. */
    private static final Object NO_LISTENER = "clients that hear nothing but results";

    private SessionOwnership() {}

    /** The owner of a session that may take the request; null when any may. */
    static @Nullable public Object of(SessionRequest request, ServerRequestPolicy requestPolicy) {
        if (!METHODS.contains(request.method())) {
            return null;
        }
        RequestingClient client = request.client();
        boolean isAsked =
                client.isReachable()
                        && !requestPolicy.towardsOlder(client.capabilities()).isEmpty();
        return isAsked || client.logs().isListening() ? client.agent() : NO_LISTENER;
    }

    public static boolean hasNoListener(Object owner) {
        return owner.equals(NO_LISTENER);
    }

    /** Whether nobody will be known again by it. */
    public static boolean isPassing(Object owner) {
        return owner instanceof RequestingClient;
    }
}
