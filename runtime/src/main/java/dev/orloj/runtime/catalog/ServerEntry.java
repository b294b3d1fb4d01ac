package dev.orloj.runtime.catalog;

import dev.orloj.runtime.limit.CallPermits;
import dev.orloj.runtime.session.definition.ServerDefinition;

/**
 * A server whose tools can be called, as it is until it changes: a call that holds an entry looks
 * it up again only when it {@linkplain #isCurrent is no longer current}. Thread-safe.
 */
public final class ServerEntry {

    private final ServerDefinition definition;
    private final CallPermits permits;
    private volatile boolean current = true;

    ServerEntry(ServerDefinition definition, CallPermits permits) {
        this.definition = definition;
        this.permits = permits;
    }

    public ServerDefinition definition() {
        return definition;
    }

    /** Grants permits for calls of the server. */
    public CallPermits permits() {
        return permits;
    }

    /** Returns whether the catalogue still has this entry. */
    boolean isCurrent() {
        return current;
    }

    /** Called before the catalogue replaces or removes the entry. */
    void expire() {
        current = false;
    }
}
