package dev.orloj.runtime.transport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;

/** Logs failures of a listener instead of passing them to the thread that reads. */
public final class SafeListener implements TransportListener {

    private static final Logger log = LoggerFactory.getLogger(SafeListener.class);

    private final TransportListener listener;
    private final String label;

    /**
     * @param label names the server in the log
     */
    public SafeListener(TransportListener listener, String label) {
        this.listener = listener;
        this.label = label;
    }

    @Override
    public void onNotification(String method, @Nullable JsonNode params) {
        guard(method, () -> listener.onNotification(method, params));
    }

    @Override
    public void onRequest(ServerRequest request) {
        guard(request.method(), () -> listener.onRequest(request));
    }

    @Override
    public void onClosed(TransportException cause) {
        guard("end of the connection", () -> listener.onClosed(cause));
    }

    private void guard(String what, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            log.atWarn()
                    .addKeyValue("server", label)
                    .addKeyValue("message", what)
                    .setCause(e)
                    .log("Message of a server could not be handled");
        }
    }
}
