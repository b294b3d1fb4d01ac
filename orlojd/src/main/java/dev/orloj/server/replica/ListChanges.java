package dev.orloj.server.replica;

import dev.orloj.api.ResourceKey;
import dev.orloj.controllers.replica.ReplicaDirectory;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.listing.ServerList;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionListener;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Sends the other replicas what servers report to the sessions of this one: that a list has
 * changed. Only the leader lists tools, and a singleton reports to its owner only. Sends many
 * changes at once as one request. What does not arrive is not sent again: the leader lists tools
 * periodically. Thread-safe.
 */
final class ListChanges implements SessionListener {

    /** Also limits what a server that reports changes continuously costs the other replicas. */
    private static final Duration SETTLING = Duration.ofMillis(250);

    private static final Logger log = LoggerFactory.getLogger(ListChanges.class);

    private final Supplier<ReplicaDirectory> directory;
    private final Supplier<Replicas> replicas;
    private final BooleanSupplier leads;
    private final Scheduler clock;
    private final Set<Change> unsent = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean settling = new AtomicBoolean();

    /** A list of a server that has changed. */
    record Change(ResourceKey server, ServerList list) {}

    /**
     * @param directory available when sessions are open, as are the replicas
     * @param leads whether this replica lists the tools itself
     */
    ListChanges(
            Supplier<ReplicaDirectory> directory,
            Supplier<Replicas> replicas,
            BooleanSupplier leads,
            Scheduler clock) {
        this.directory = directory;
        this.replicas = replicas;
        this.leads = leads;
        this.clock = clock;
    }

    @Override
    public void opened(ResourceKey server, SessionInfo session) {}

    @Override
    public void closed(ResourceKey server, SessionInfo session, String cause, boolean failure) {}

    @Override
    public void toolsChanged(ResourceKey server) {
        if (!leads.getAsBoolean()) {
            add(new Change(server, ServerList.TOOLS));
        }
    }

    @Override
    public void notified(ResourceKey server, String method, @Nullable JsonNode params) {
        ServerList.ofNotification(method).ifPresent(list -> add(new Change(server, list)));
    }

    private void add(Change change) {
        unsent.add(change);
        if (settling.compareAndSet(false, true)) {
            clock.schedule(
                    SETTLING,
                    () -> Thread.ofVirtual().name("orloj-list-changes").start(this::send));
        }
    }

    private void send() {
        // Before the collection: a change from now on is sent later.
        settling.set(false);
        Set<Change> changes = new HashSet<>(unsent);
        unsent.removeAll(changes);
        Consumer<String> sendTo = replica -> send(replica, changes);
        for (String replica : directory.get().others()) {
            Thread.ofVirtual().name("orloj-list-changes").start(() -> sendTo.accept(replica));
        }
    }

    private void send(String replica, Set<Change> changes) {
        try {
            replicas.get()
                    .ask(
                            replica,
                            ListChangeService.KIND,
                            ListChangeService.request(changes),
                            notification -> {});
        } catch (ReplicaLostException e) {
            log.atDebug()
                    .addKeyValue("replica", replica)
                    .addKeyValue("error", e.getMessage())
                    .log("Changes of lists did not reach another replica");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
