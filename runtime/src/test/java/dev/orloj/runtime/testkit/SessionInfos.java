package dev.orloj.runtime.testkit;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.session.lifecycle.SessionState;
import dev.orloj.runtime.workload.ContainerRef;

import java.time.Instant;
import java.util.Optional;

/** Builds a snapshot of a Ready session that has served no calls. Not thread-safe. */
public final class SessionInfos {

    private final ResourceKey server;
    private final Instant startedAt;
    private SessionKey key = new SessionKey("uid", 1, "connection");
    private long noiseLines = 0;
    private Optional<Boolean> obeyedEof = Optional.empty();
    private Optional<ContainerRef> container = Optional.empty();
    private boolean ownedByClient = false;

    private SessionInfos(ResourceKey server, Instant startedAt) {
        this.server = server;
        this.startedAt = startedAt;
    }

    public static SessionInfos of(ResourceKey server, Instant startedAt) {
        return new SessionInfos(server, startedAt);
    }

    public SessionInfos key(long generation, Object connection) {
        this.key = new SessionKey("uid", generation, connection);
        return this;
    }

    public SessionInfos noiseLines(long lines) {
        this.noiseLines = lines;
        return this;
    }

    public SessionInfos obeyedEof(Optional<Boolean> obeyed) {
        this.obeyedEof = obeyed;
        return this;
    }

    public SessionInfos container(ContainerRef ref) {
        this.container = Optional.of(ref);
        return this;
    }

    public SessionInfos ownedByClient(boolean owned) {
        this.ownedByClient = owned;
        return this;
    }

    public SessionInfo build() {
        return new SessionInfo(
                server.namespace() + "/" + server.name() + "#1",
                server,
                key,
                SessionState.Name.READY,
                "2025-11-25",
                Optional.empty(),
                startedAt,
                startedAt,
                0,
                0,
                0,
                noiseLines,
                Optional.empty(),
                obeyedEof,
                container,
                Optional.empty(),
                ownedByClient);
    }
}
