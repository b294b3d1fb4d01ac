package dev.orloj.controllers.mcpserver.tools;

import dev.orloj.api.Backoff;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.runtime.client.McpProtocolException;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.listing.FeatureListing;
import dev.orloj.runtime.listing.ListingLimitException;
import dev.orloj.runtime.listing.ListingLimits;
import dev.orloj.runtime.listing.ToolListing;
import dev.orloj.runtime.session.Session;
import dev.orloj.runtime.session.lifecycle.SessionClosedException;
import dev.orloj.runtime.session.lifecycle.SessionState;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.TransportException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Lists the tools of servers, each on its own virtual thread, so a server that does not answer
 * blocks only that thread. Enqueues the server when its listing succeeds or fails. Thread-safe.
 */
public final class ToolListings {

    private static final Logger log = LoggerFactory.getLogger(ToolListings.class);

    private static final Backoff RETRY =
            new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), 0.2);

    /**
     * The part of the period by which a listing may start early, so that servers that started
     * together are not listed together.
     */
    private static final double JITTER = 0.1;

    /**
     * The number of listings in a row for a server whose tools keep changing. After that, one
     * listing per interval.
     */
    public static final int BURST = 20;

    public static final Duration INTERVAL = Duration.ofSeconds(5);

    /** The state of the listing of one session. */
    public sealed interface State {

        record NotAsked() implements State {}

        record Running(Instant since) implements State {}

        /** The listing is complete. Its Tools are not written yet. */
        record Done(ToolListing listing) implements State {}

        /**
         * @param until when the tools must be listed again
         */
        record Used(Instant until) implements State {}

        /**
         * @param retryAt the earliest time to list again
         * @param ifChanged the earliest time to list again if the server has announced a change
         *     since
         */
        record Failed(RuntimeException cause, Instant retryAt, Instant ifChanged)
                implements State {}
    }

    /**
     * @param changes the counter of the journal when the listing started
     * @param generation of the manifest at that time
     * @param failures in a row, of this session and generation
     */
    public record Entry(Session session, long changes, long generation, int failures, State state) {

        private Entry with(State next) {
            int inARow =
                    switch (next) {
                        case State.Failed _ -> failures + 1;
                        case State.Used _ -> 0;
                        case State.NotAsked _, State.Running _, State.Done _ -> failures;
                    };
            return new Entry(session, changes, generation, inARow, next);
        }
    }

    private final InstantSource clock;
    private final Duration resyncPeriod;
    private final Function<McpServer, ListingLimits> limits;
    private final Consumer<ResourceKey> enqueue;
    private final ConcurrentMap<ResourceKey, Entry> entries = new ConcurrentHashMap<>();

    /** The time of the latest listing of each server if it had been listed once per interval. */
    private final ConcurrentMap<ResourceKey, Instant> paces = new ConcurrentHashMap<>();

    /**
     * @param resyncPeriod the longest time between two listings while a session is open
     * @param limits the limits for the tool list of a server
     * @param enqueue receives the servers whose listing has ended
     */
    public ToolListings(
            InstantSource clock,
            Duration resyncPeriod,
            Function<McpServer, ListingLimits> limits,
            Consumer<ResourceKey> enqueue) {
        this.clock = clock;
        this.limits = limits;
        this.resyncPeriod = resyncPeriod;
        this.enqueue = enqueue;
    }

    /**
     * Returns the listing of this session. Returns the listing of another session with the same key
     * while that one is running or waits to be used.
     */
    public Entry find(ResourceKey server, Session session) {
        Entry entry = entries.get(server);
        return entry != null && (entry.session() == session || goesBefore(entry, session))
                ? entry
                : new Entry(session, 0, 0, 0, new State.NotAsked());
    }

    private static boolean goesBefore(Entry entry, Session session) {
        Session other = entry.session();
        return other.key().equals(session.key())
                && switch (entry.state()) {
                    case State.Running _ -> other.state() instanceof SessionState.Ready;
                    case State.Done _ -> true;
                    case State.NotAsked _, State.Used _, State.Failed _ -> false;
                };
    }

    /** Starts a listing and returns immediately. */
    public void start(McpServer server, Session session, long changes) {
        ResourceKey key = server.key();
        long generation = server.metadata().generation();
        Entry before = find(key, session);
        Entry entry =
                new Entry(
                        session,
                        changes,
                        generation,
                        before.generation() == generation ? before.failures() : 0,
                        new State.Running(clock.instant()));
        ListingLimits most = limits.apply(server);
        entries.put(key, entry);
        paces.merge(
                key,
                clock.instant().plus(INTERVAL),
                (pace, fresh) -> pace.isAfter(clock.instant()) ? pace.plus(INTERVAL) : fresh);
        Thread.ofVirtual().name("list-tools-" + key).start(() -> run(key, entry, most));
    }

    /**
     * Returns when the tools are due to be listed, if no listing is running or has failed.
     *
     * @param changes the current counter of the journal
     */
    public Instant due(ResourceKey server, Entry asked, long changes) {
        if (asked.state() instanceof State.Used(Instant until) && asked.changes() == changes) {
            return until;
        }
        return paces.getOrDefault(server, Instant.EPOCH).minus(INTERVAL.multipliedBy(BURST - 1));
    }

    /**
     * Returns the earliest time to repeat a listing that failed.
     *
     * @param changes the current counter of the journal
     */
    public static Instant retryAt(Entry asked, State.Failed failed, long changes) {
        return asked.changes() == changes ? failed.retryAt() : failed.ifChanged();
    }

    private void run(ResourceKey server, Entry entry, ListingLimits most) {
        State end;
        try {
            ToolListing tools = entry.session().discoverTools(most);
            end = new State.Done(tools.with(features(server, entry.session())));
        } catch (SessionClosedException | InterruptedException e) {
            entries.remove(server, entry);
            return;
        } catch (ListingLimitException e) {
            // Another listing soon would cost as much and not help, unless the list has changed.
            end = new State.Failed(e, nextPeriod(), clock.instant().plus(backOff(entry)));
        } catch (JsonRpcException
                | McpProtocolException
                | RequestTimeoutException
                | TransportException e) {
            end = failure(server, entry, e);
        } catch (RuntimeException | Error e) {
            log.atError().addKeyValue("server", server).setCause(e).log("Listing tools failed");
            end = failure(server, entry, new IllegalStateException(String.valueOf(e), e));
        }
        if (entries.replace(server, entry, entry.with(end))) {
            enqueue.accept(server);
        }
    }

    /** A server that ends while it lists something else has listed its tools. */
    private static FeatureListing features(ResourceKey server, Session session)
            throws InterruptedException {
        try {
            return session.discoverFeatures();
        } catch (SessionClosedException | TransportException e) {
            log.atWarn()
                    .addKeyValue("server", server)
                    .addKeyValue("error", e.getMessage())
                    .log("Prompts and resources were not listed");
            return FeatureListing.UNREAD;
        }
    }

    /**
     * Records that the Tools were written.
     *
     * @return when to list the tools of the server again
     */
    public Instant used(ResourceKey server, Entry done) {
        Instant until = nextPeriod();
        entries.replace(server, done, done.with(new State.Used(until)));
        return until;
    }

    private Instant nextPeriod() {
        long nanos = resyncPeriod.toNanos();
        long early = (long) (nanos * JITTER * ThreadLocalRandom.current().nextDouble());
        return clock.instant().plusNanos(nanos - early);
    }

    /**
     * Records that the Tools could not be written.
     *
     * @return when to list the tools of the server again
     */
    public Instant refused(ResourceKey server, Entry done, RuntimeException why) {
        State.Failed failure = failure(server, done, why);
        entries.replace(server, done, done.with(failure));
        return failure.retryAt();
    }

    private State.Failed failure(ResourceKey server, Entry entry, RuntimeException cause) {
        Duration wait = backOff(entry);
        log.atWarn()
                .addKeyValue("server", server)
                .addKeyValue("failures", entry.failures() + 1)
                .addKeyValue("retryIn", wait)
                .addKeyValue("error", cause.getMessage())
                .log("Tools were not listed");
        Instant retryAt = clock.instant().plus(wait);
        return new State.Failed(cause, retryAt, retryAt);
    }

    private static Duration backOff(Entry entry) {
        return RETRY.delay(entry.failures() + 1, ThreadLocalRandom.current());
    }

    /**
     * Drops the listing of a server whose session is closed. It is of no use to the next session,
     * and the closed one holds the buffers of its process.
     */
    public void release(ResourceKey server) {
        entries.computeIfPresent(
                server,
                (_, entry) ->
                        switch (entry.state()) {
                            case State.Used _, State.Failed _ ->
                                    entry.session().isReady() ? entry : null;
                            case State.NotAsked _, State.Running _, State.Done _ -> entry;
                        });
    }

    /** Drops the state of a server that has no session or needs none. */
    public void forget(ResourceKey server) {
        entries.remove(server);
        paces.remove(server);
    }
}
