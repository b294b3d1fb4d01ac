package dev.orloj.runtime.session;

import dev.orloj.api.ResourceKey;

import org.jspecify.annotations.Nullable;

/** A session did not open after all attempts. The next call tries again. */
public final class SessionOpenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param why cause in one sentence; the message of {@code cause} if there is one
     */
    SessionOpenException(ResourceKey server, int attempts, String why, @Nullable Throwable cause) {
        super(message(server, attempts, why), cause);
    }

    private static String message(ResourceKey server, int attempts, String why) {
        String times = attempts > 1 ? " in " + attempts + " attempts" : "";
        return "Cannot open a session with server \"" + server + "\"" + times + ": " + why;
    }
}
