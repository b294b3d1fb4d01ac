package dev.orloj.controllers.mcpserver;

import dev.orloj.controllers.sandbox.ServerEngine;
import dev.orloj.runtime.container.spec.ContainerGoneException;
import dev.orloj.runtime.container.spec.EngineUnavailableException;
import dev.orloj.runtime.oauth.OAuthException;

/** The cause of an opening that failed. */
final class ConnectFailure {

    private ConnectFailure() {}

    /** Returns the reason for the condition {@code Connected}. */
    static String reason(Throwable failure) {
        String other =
                isCausedBy(failure, EngineUnavailableException.class)
                        ? ServerEngine.UNAVAILABLE
                        : ServerStatus.CONNECT_FAILED;
        return OAuthException.in(failure).map(e -> e.failure().reason()).orElse(other);
    }

    /** Returns whether the server runs in a container that does not exist any more. */
    static boolean isContainerGone(Throwable failure) {
        return isCausedBy(failure, ContainerGoneException.class);
    }

    private static boolean isCausedBy(Throwable failure, Class<? extends Throwable> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}
