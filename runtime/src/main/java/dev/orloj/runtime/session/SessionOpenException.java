package dev.orloj.runtime.session;

import dev.orloj.api.ResourceKey;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A session did not open after all attempts. The next call tries again. */
public final class SessionOpenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient ResourceKey server;
    private final int attempts;
    private final transient List<String> lastLines;

    /**
     * @param why cause in one sentence; the message of {@code cause} if there is one
     * @param lastLines the last lines of the server's stderr, oldest first; not part of the message
     */
    SessionOpenException(
            ResourceKey server,
            int attempts,
            String why,
            List<String> lastLines,
            @Nullable Throwable cause) {
        super(message(server, attempts, why), cause);
        this.server = server;
        this.attempts = attempts;
        this.lastLines = List.copyOf(lastLines);
    }

    private static String message(ResourceKey server, int attempts, String why) {
        String times = attempts > 1 ? " in " + attempts + " attempts" : "";
        return "Cannot open a session with server \"" + server + "\"" + times + ": " + why;
    }

    public ResourceKey server() {
        return server;
    }

    public int attempts() {
        return attempts;
    }

    public List<String> lastLines() {
        return lastLines;
    }
}
