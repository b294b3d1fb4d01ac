package dev.orloj.controllers.mcpserver.tools;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.workqueue.Backoff;
import dev.orloj.runtime.client.McpProtocolException;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
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
 * Asks servers for their tools, each on a thread of its own: a server that does not answer holds
 * nothing but that thread. The server is enqueued when its answer is there, or has failed to come.
 * Safe for many threads.
 */
public final class ToolListings {

    private static final Logger log = LoggerFactory.getLogger(ToolListings.class);

    private static final Backoff RETRY =
            new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), 0.2);

    /** Up to so much earlier, so that servers that started together are not asked together. */
    private static final double JITTER = 0.1;

    /** A server whose tools keep changing is asked so often in a row, then once an interval. */
    public static final int BURST = 20;

    public static final Duration INTERVAL = Duration.ofSeconds(5);

    /** How far the listing of one session has come. */
    public sealed interface State {

        record NotAsked() implements State {}

        record Running(Instant since) implements State {}

        /** The Tools are yet to be written. */
        record Done(ToolListing listing) implements State {}

        /**
         * @param until when the tools are to be listed again at the latest
         */
        record Used(Instant until) implements State {}

        /**
         * @param retryAt not before this time is the server to be asked again
         * @param ifChanged as above, when it has announced a change since
         */
        record Failed(RuntimeException cause, Instant retryAt, Instant ifChanged)
                implements State {}
    }

    /**
     * @param changes what the journal counted when the server was asked
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

    /** When each server would have been asked last, had it been asked once an interval. */
    private final ConcurrentMap<ResourceKey, Instant> paces = new ConcurrentHashMap<>();

    /**
     * @param resyncPeriod how long tools may go unlisted while a session is open
     * @param limits the largest list that is taken from a server
     * @param enqueue given servers whose listing has ended
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
     * What is known of the listing of this session; or of another session of the same key, while
     * that is asked or its answer waits.
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

    /** Asks the server, and returns at once. */
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
     * When tools are to be listed, where no listing is under way or has failed.
     *
     * @param changes what the journal counts now
     */
    public Instant due(ResourceKey server, Entry asked, long changes) {
        if (asked.state() instanceof State.Used(Instant until) && asked.changes() == changes) {
            return until;
        }
        return paces.getOrDefault(server, Instant.EPOCH).minus(INTERVAL.multipliedBy(BURST - 1));
    }

    /**
     * Not before this time is a server to be asked again whose listing failed.
     *
     * @param changes what the journal counts now
     */
    public static Instant retryAt(Entry asked, State.Failed failed, long changes) {
        return asked.changes() == changes ? failed.retryAt() : failed.ifChanged();
    }

    private void run(ResourceKey server, Entry entry, ListingLimits most) {
        State end;
        try {
            end = new State.Done(entry.session().discoverTools(most));
        } catch (SessionClosedException | InterruptedException e) {
            entries.remove(server, entry);
            return;
        } catch (ListingLimitException e) {
            // To list again soon would cost as much and not help, unless the list is another one.
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

    /**
     * The Tools were written.
     *
     * @return when the server is to be asked again
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
     * The Tools cannot be written.
     *
     * @return when the server is to be asked again
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

    /** There is no session any more, or none is wanted. */
    public void forget(ResourceKey server) {
        entries.remove(server);
        paces.remove(server);
    }
}
