package dev.orloj.controllers.pods;

import dev.orloj.api.ResourceKey;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionListener;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Records the processes of this replica: those that run and, for a server without any, the last one
 * that ran. Created before the session manager, which reports to it. Thread-safe.
 */
public final class ProcessLedger implements SessionListener {

    private final InstantSource clock;
    private final Replica replica;
    private final ConcurrentMap<ResourceKey, List<ServerProcess>> processes =
            new ConcurrentHashMap<>();
    private volatile Consumer<ResourceKey> notification = server -> {};

    public ProcessLedger(InstantSource clock, Replica replica) {
        this.clock = clock;
        this.replica = replica;
    }

    public Replica replica() {
        return replica;
    }

    /** Sets the listener that receives each server whose processes have changed. */
    void onChange(Consumer<ResourceKey> listener) {
        notification = listener;
    }

    /** Returns the processes of a server in the order in which they started. */
    List<ServerProcess> of(ResourceKey server) {
        return processes.getOrDefault(server, List.of());
    }

    void forget(ResourceKey server) {
        processes.remove(server);
    }

    @Override
    public void opened(ResourceKey server, SessionInfo session) {
        if (session.pid().isPresent() || session.container().isPresent()) {
            change(
                    server,
                    known -> {
                        List<ServerProcess> all = new ArrayList<>(known);
                        all.add(
                                ServerProcess.of(
                                        session, known.isEmpty() ? null : known.getLast()));
                        return all;
                    });
        }
    }

    @Override
    public void closed(ResourceKey server, SessionInfo session, String cause, boolean failure) {
        ServerProcess.End end =
                new ServerProcess.End(clock.instant(), session.exit(), cause, failure);
        change(
                server,
                known ->
                        known.stream()
                                .map(p -> p.sessionId().equals(session.id()) ? p.ended(end) : p)
                                .toList());
    }

    @Override
    public void toolsChanged(ResourceKey server) {}

    private void change(ResourceKey server, UnaryOperator<List<ServerProcess>> change) {
        boolean known =
                processes.compute(
                                server,
                                (key, before) -> {
                                    List<ServerProcess> after =
                                            withoutPast(
                                                    change.apply(
                                                            before == null ? List.of() : before));
                                    return after.isEmpty() ? null : after;
                                })
                        != null;
        if (known) {
            notification.accept(server);
        }
    }

    private static List<ServerProcess> withoutPast(List<ServerProcess> all) {
        List<ServerProcess> live = all.stream().filter(ServerProcess::isLive).toList();
        return live.isEmpty() && !all.isEmpty() ? List.of(all.getLast()) : live;
    }
}
