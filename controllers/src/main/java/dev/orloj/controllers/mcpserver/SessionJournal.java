package dev.orloj.controllers.mcpserver;

import dev.orloj.api.Backoff;
import dev.orloj.api.ResourceKey;
import dev.orloj.controllers.report.ReportCards;
import dev.orloj.runtime.code.CodeHeldException;
import dev.orloj.runtime.listing.ServerList;
import dev.orloj.runtime.session.FailedAttempt;
import dev.orloj.runtime.session.FailedOpening;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionListener;
import dev.orloj.runtime.session.SessionOpenException;
import dev.orloj.runtime.session.definition.SessionKey;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * Records the events of the sessions of each server, so that a reconcile works from state. Created
 * before the {@code SessionManager} that reports to it. Thread-safe.
 */
public final class SessionJournal implements SessionListener {

    /** A status that lasts less than this is not written, because it is too short to be seen. */
    static final Duration QUICK = Duration.ofSeconds(1);

    /** A session that lived this long is not part of a crash loop. */
    private static final Duration STABLE = Duration.ofMinutes(1);

    /** Groups several announcements of a server in a row into one listing. */
    private static final Duration SETTLE = Duration.ofMillis(100);

    /**
     * A wait shorter than this is not written to the status, because it is too short to be seen.
     */
    private static final Duration LONG_WAIT = Duration.ofMillis(500);

    private static final Backoff REOPEN =
            new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), 0.2);

    /**
     * How the latest session ended.
     *
     * @param key the key of the session
     * @param failure whether it ended by itself
     * @param deaths how many sessions in a row ended by themselves, including this one
     * @param reopenAt the earliest time to open another session
     */
    record Ending(SessionKey key, String cause, boolean failure, int deaths, Instant reopenAt) {}

    /**
     * The result of the attempts to open a session since the last one was opened.
     *
     * @param key the key of the session to open
     * @param what the result as a sentence, of one attempt of several or of all of them
     * @param failure the failure of the latest opening; empty while the first is in progress
     * @param retryAt the earliest time to begin the next opening
     */
    record NotOpened(
            SessionKey key, String what, Optional<SessionOpenException> failure, Instant retryAt) {

        /** Returns whether the policy did not serve what ran. */
        boolean isHeld() {
            return failure.filter(CodeHeldException::isCauseOf).isPresent();
        }

        /** What was held opens at once when a user approves it. */
        boolean isToWait() {
            return failure.isPresent() && !isHeld();
        }
    }

    /**
     * An attempt to open a session.
     *
     * @param key the key of the session to open
     */
    private record Start(SessionKey key, Instant at) {}

    /**
     * The sessions that ended by themselves during the life of this journal.
     *
     * @param latest when the latest of them ended, and why
     */
    record Failures(int count, Instant latest, String cause) {}

    /**
     * @param changes counts the events that may have changed the tools
     * @param ending of the latest session; empty if one was opened since
     * @param deaths sessions in a row that ended by themselves, each soon after its opening
     * @param failures empty if no session ended by itself
     * @param notOpened the latest failure to open a session; empty if one was opened since
     */
    private record Entry(
            long changes,
            Optional<Ending> ending,
            int deaths,
            Optional<Failures> failures,
            Optional<NotOpened> notOpened) {

        static final Entry NEW =
                new Entry(0, Optional.empty(), 0, Optional.empty(), Optional.empty());

        Entry changed() {
            return new Entry(changes + 1, ending, deaths, failures, notOpened);
        }

        Entry failed(NotOpened latest) {
            return new Entry(changes, ending, deaths, failures, Optional.of(latest));
        }

        Entry opened() {
            return new Entry(changes, Optional.empty(), deaths, failures, Optional.empty());
        }

        /**
         * Clears only the failure to open. A session of a single client says nothing about shared
         * sessions that end by themselves.
         */
        Entry openedForClient() {
            return new Entry(changes, ending, deaths, failures, Optional.empty());
        }

        Entry diedForClient(String cause, Instant now) {
            return new Entry(changes, ending, deaths, Optional.of(oneMore(cause, now)), notOpened);
        }

        private Failures oneMore(String cause, Instant now) {
            return new Failures(1 + failures.map(Failures::count).orElse(0), now, cause);
        }

        Entry closed(SessionInfo session, String cause, Instant now) {
            Ending closing = new Ending(session.key(), cause, false, 0, now);
            return new Entry(changes, Optional.of(closing), 0, failures, notOpened);
        }

        Entry died(SessionInfo session, String cause, Instant now) {
            Duration age = Duration.between(session.startedAt(), now);
            int inARow = age.compareTo(STABLE) < 0 ? deaths + 1 : 1;
            Duration wait =
                    inARow == 1
                            ? Duration.ZERO
                            : REOPEN.delay(inARow - 1, ThreadLocalRandom.current());
            Ending death = new Ending(session.key(), cause, true, inARow, now.plus(wait));
            return new Entry(
                    changes,
                    Optional.of(death),
                    inARow,
                    Optional.of(oneMore(cause, now)),
                    notOpened);
        }
    }

    private final InstantSource clock;
    private final Instant since;
    private final ReportCards reports = new ReportCards();
    private final ConcurrentMap<ResourceKey, Entry> entries = new ConcurrentHashMap<>();

    /**
     * The latest attempt to open a session. It remains after an opening that was cancelled, until
     * the next one begins.
     */
    private final ConcurrentMap<ResourceKey, Start> starting = new ConcurrentHashMap<>();

    /** Servers whose tools changed elsewhere, with the value of the counter at that time. */
    private final ConcurrentMap<ResourceKey, Long> unlisted = new ConcurrentHashMap<>();

    private volatile BiConsumer<ResourceKey, Duration> wake = (server, delay) -> {};

    public SessionJournal(InstantSource clock) {
        this.clock = clock;
        this.since = clock.instant();
    }

    /** Sets the callback that enqueues a server after a delay. */
    void onChange(BiConsumer<ResourceKey, Duration> wakeUp) {
        wake = wakeUp;
    }

    /** Records that the tools may have changed since they were last listed. */
    void toolsTouched(ResourceKey server) {
        note(server, Entry::changed);
    }

    /**
     * Records that the server reported a change of its tools to a session of another replica. A
     * server that sleeps here needs a session, so that they can be listed.
     */
    public void toolsChangedElsewhere(ResourceKey server) {
        toolsTouched(server);
        unlisted.put(server, changes(server));
        wake.accept(server, SETTLE);
    }

    /** Returns whether such a change has not been listed. */
    boolean isUnlisted(ResourceKey server) {
        return unlisted.containsKey(server);
    }

    /** Records that a listing begins. */
    void listing(ResourceKey server, long changes) {
        unlisted.computeIfPresent(server, (key, at) -> at <= changes ? null : at);
    }

    /**
     * Returns a counter. It differs from an earlier value if the tools may have changed in between.
     */
    long changes(ResourceKey server) {
        return entries.getOrDefault(server, Entry.NEW).changes();
    }

    /** Returns how the latest session ended. Empty if there was none or one was opened since. */
    Optional<Ending> ending(ResourceKey server) {
        return entries.getOrDefault(server, Entry.NEW).ending();
    }

    /** Returns the latest failure to open a session. Empty if one was opened since. */
    Optional<NotOpened> notOpened(ResourceKey server) {
        return entries.getOrDefault(server, Entry.NEW).notOpened();
    }

    /**
     * Returns when the session with this key, which is being opened, began to open. Empty while the
     * start of its process waits for its turn.
     */
    Optional<Instant> startingSince(ResourceKey server, SessionKey key) {
        return Optional.ofNullable(starting.get(server))
                .filter(start -> start.key().equals(key))
                .map(Start::at);
    }

    /** Returns when this journal was created. */
    Instant since() {
        return since;
    }

    /** Returns the failures of the sessions with the server. */
    Optional<Failures> failures(ResourceKey server) {
        return entries.getOrDefault(server, Entry.NEW).failures();
    }

    /** Returns what the sessions show about their servers. */
    ReportCards reports() {
        return reports;
    }

    /** Drops the entry of a server that is gone. */
    void forget(ResourceKey server) {
        entries.remove(server);
        starting.remove(server);
        unlisted.remove(server);
        reports.forget(server);
    }

    @Override
    public void starting(ResourceKey server, SessionKey key) {
        starting.put(server, new Start(key, clock.instant()));
        wake.accept(server, QUICK);
    }

    @Override
    public void attemptFailed(ResourceKey server, FailedAttempt attempt) {
        String what =
                "attempt %d of %d failed: %s"
                        .formatted(attempt.number(), attempt.most(), attempt.cause());
        NotOpened so = new NotOpened(attempt.key(), what, Optional.empty(), clock.instant());
        note(server, entry -> entry.failed(so));
        if (attempt.retryAfter().compareTo(LONG_WAIT) >= 0) {
            wake.accept(server, Duration.ZERO);
        }
    }

    @Override
    public void openFailed(ResourceKey server, FailedOpening failed) {
        endStart(server, failed.key());
        NotOpened so =
                new NotOpened(
                        failed.key(),
                        String.valueOf(failed.cause().getMessage()),
                        Optional.of(failed.cause()),
                        clock.instant().plus(failed.retryAfter()));
        note(server, entry -> entry.failed(so));
    }

    /** Enqueues the server only now: a reconcile waits while the session is still there. */
    @Override
    public void removed(ResourceKey server) {
        wake.accept(server, Duration.ZERO);
    }

    @Override
    public void gone(ResourceKey server) {
        wake.accept(server, Duration.ZERO);
    }

    @Override
    public void opened(ResourceKey server, SessionInfo session) {
        Optional<Duration> took =
                endStart(server, session.key())
                        .map(start -> Duration.between(start, clock.instant()));
        reports.opened(server, session, took);
        note(server, entry -> session.ownedByClient() ? entry.openedForClient() : entry.opened());
        wake.accept(server, Duration.ZERO);
    }

    @Override
    public void closed(ResourceKey server, SessionInfo session, String cause, boolean failure) {
        reports.closed(server, session);
        note(server, entry -> ended(entry, session, cause, failure));
    }

    /** The end of a client's own session does not delay the next opening of the shared session. */
    private Entry ended(Entry entry, SessionInfo session, String cause, boolean failure) {
        Instant now = clock.instant();
        if (session.ownedByClient()) {
            return failure ? entry.diedForClient(cause, now) : entry;
        }
        return failure ? entry.died(session, cause, now) : entry.closed(session, cause, now);
    }

    @Override
    public void toolsChanged(ResourceKey server) {
        toolsTouched(server);
        wake.accept(server, SETTLE);
    }

    @Override
    public void notified(ResourceKey server, String method, @Nullable JsonNode params) {
        if (ServerList.ofNotification(method).isPresent()) {
            toolsChanged(server); // a listing reads all lists
        }
    }

    /** Returns when the attempt with this key began, and drops it. */
    private Optional<Instant> endStart(ResourceKey server, SessionKey key) {
        Optional<Instant> since = startingSince(server, key);
        starting.computeIfPresent(server, (_, start) -> start.key().equals(key) ? null : start);
        return since;
    }

    private void note(ResourceKey server, UnaryOperator<Entry> notification) {
        entries.compute(
                server, (key, entry) -> notification.apply(entry == null ? Entry.NEW : entry));
    }
}
