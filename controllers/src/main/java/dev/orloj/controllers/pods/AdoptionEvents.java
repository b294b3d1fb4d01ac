package dev.orloj.controllers.pods;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.events.EventRecorder;
import dev.orloj.controllers.events.Note;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionListener;
import dev.orloj.runtime.workload.ContainerRef;

import java.time.InstantSource;

/**
 * Records the events of sessions that use a server which ran before them, at the replica of the
 * session. Thread-safe.
 */
public final class AdoptionEvents implements SessionListener {

    static final String ADOPTED = "Adopted";
    static final String NOT_ADOPTED = "NotAdopted";

    private final ResourceClient client;
    private final EventRecorder events;

    public AdoptionEvents(ResourceClient client, InstantSource clock) {
        this.client = client;
        this.events = new EventRecorder(client, clock, "mcpserver-controller");
    }

    @Override
    public void opened(ResourceKey server, SessionInfo session) {
        session.container()
                .filter(container -> container.adoptedFrom().isPresent())
                .ifPresent(container -> record(server, adopted(container)));
    }

    private static Note adopted(ContainerRef container) {
        return Note.normal(
                ADOPTED,
                "The session uses Pod \"%s\", which was created %s"
                        .formatted(container.name(), container.adoptedFrom().orElseThrow()));
    }

    @Override
    public void notAdopted(ResourceKey server, String container, String cause) {
        record(
                server,
                Note.warning(
                        NOT_ADOPTED,
                        ConditionMessage.of(
                                "Pod \"%s\" of an earlier session is replaced: %s"
                                        .formatted(container, cause))));
    }

    @Override
    public void closed(ResourceKey server, SessionInfo session, String cause, boolean failure) {}

    @Override
    public void toolsChanged(ResourceKey server) {}

    /** On a thread of its own, because a listener must return at once. */
    private void record(ResourceKey server, Note note) {
        Thread.ofVirtual()
                .name("orloj-adoption-event")
                .start(
                        () ->
                                client.find(McpServer.KIND, server)
                                        .ifPresent(found -> events.record(found, note)));
    }
}
