package dev.orloj.server.audit;

import dev.orloj.server.store.audit.AuditTable;

import java.time.InstantSource;

/**
 * The event with which a log goes on that a backup was restored into: it names the end of the log
 * that was there before. Thread-safe.
 */
public final class RestoreEvent {

    private final AuditEvents events;
    private final InstantSource clock;

    /**
     * @param replica the name of this replica
     */
    public RestoreEvent(String replica, InstantSource clock) {
        this.events = new AuditEvents(replica);
        this.clock = clock;
    }

    /** Returns the text of the event. */
    public String text(AuditTable.Head replaced) {
        return events.ofTheLog(
                clock.instant(),
                "restore",
                "orloj.dev/replaced-log",
                "%d %s".formatted(replaced.sequence(), replaced.hash()));
    }
}
