package dev.orloj.runtime.testkit;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionListener;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A listener that remembers, one line for each notification. */
public final class RecordedSessions implements SessionListener {

    private final List<String> events = new CopyOnWriteArrayList<>();

    public List<String> events() {
        return List.copyOf(events);
    }

    @Override
    public void opened(ResourceKey server, SessionInfo session) {
        events.add("opened " + session.id());
    }

    @Override
    public void notAdopted(ResourceKey server, String container, String cause) {
        events.add("not adopted " + server + " in " + container + ": " + cause);
    }

    @Override
    public void closed(ResourceKey server, SessionInfo session, String cause, boolean failure) {
        events.add((failure ? "failed " : "closed ") + session.id() + ": " + cause);
    }

    @Override
    public void toolsChanged(ResourceKey server) {
        events.add("tools changed " + server);
    }

    @Override
    public void notified(ResourceKey server, String method, @Nullable JsonNode params) {
        events.add(server + " says " + method + " " + params);
    }
}
