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
    private static final Object UNTOLD = "clients that hear nothing but results";

    private SessionOwnership() {}

    /** The owner of a session that may take the request; null when any may. */
    static @Nullable public Object of(SessionRequest request, ServerRequestPolicy bridge) {
        if (!METHODS.contains(request.method())) {
            return null;
        }
        RequestingClient client = request.client();
        boolean isAsked =
                client.isReachable() && !bridge.towardsOlder(client.capabilities()).isEmpty();
        return isAsked || client.logs().hears() ? client.agent() : UNTOLD;
    }

    public static boolean isUntold(Object owner) {
        return owner.equals(UNTOLD);
    }

    /** Whether nobody will be known again by it. */
    public static boolean isPassing(Object owner) {
        return owner instanceof RequestingClient;
    }
}
