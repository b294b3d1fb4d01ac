package dev.orloj.runtime.transport;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records what a transport reported. */
public final class RecordingListener implements TransportListener {

    private final List<String> notifications = new CopyOnWriteArrayList<>();
    private final List<TransportException> closed = new CopyOnWriteArrayList<>();

    @Override
    public void onNotification(String method, @Nullable JsonNode params) {
        notifications.add(method);
    }

    @Override
    public void onClosed(TransportException cause) {
        closed.add(cause);
    }

    public List<String> notifications() {
        return notifications;
    }

    public List<TransportException> closed() {
        return closed;
    }
}
