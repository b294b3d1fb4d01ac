package dev.orloj.server.store.change;

import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.server.store.table.DatabaseFailure;
import dev.orloj.server.store.table.Shards;
import dev.orloj.server.store.table.StoreSettings;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * Follows the log of one shard for all watches of this process. One thread reads the log after each
 * announcement and once per poll interval: a lost announcement costs delay, never a change. It
 * publishes a window of the newest changes. Watches read the window at their own pace, and older
 * changes from the log, so a slow one does not delay the others.
 */
public final class ChangeFeed implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ChangeFeed.class);

    private static final int READ_LIMIT = 1_000;

    /** Longer than a working database takes to respond, and shorter than the pool's timeout. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final KindDescriptor.Shard shard;
    private final ChangeLog changeLog;
    private final StoreSettings settings;
    private final WakeUp announced = new WakeUp();
    private final ReentrantLock advancing = new ReentrantLock();
    private final Condition advanced = advancing.newCondition();
    private final Set<ChangeWatch> watches = ConcurrentHashMap.newKeySet();

    /** Written by the feed's thread only. */
    private volatile ChangeWindow window = ChangeWindow.startingAt(0, 0);

    /** By {@link System#nanoTime}. */
    private volatile long readAt = System.nanoTime();

    private volatile @Nullable String failed;
    private volatile boolean closed;
    private @Nullable Thread tailer;

    public ChangeFeed(KindDescriptor.Shard shard, ChangeLog changeLog, StoreSettings settings) {
        this.shard = shard;
        this.changeLog = changeLog;
        this.settings = settings;
    }

    /** Starts to follow from the present head. */
    public void start() {
        window = ChangeWindow.startingAt(0, changeLog.bounds(shard).head());
        readAt = System.nanoTime();
        tailer =
                Thread.ofVirtual()
                        .name("orloj-change-feed-" + Shards.column(shard))
                        .start(this::follow);
    }

    /** Signals that there may be a change. */
    public void announce() {
        announced.raise();
    }

    /** Signals a change of this revision, which the feed may have read already. */
    public void announce(long revision) {
        if (revision > window.head()) {
            announced.raise();
        }
    }

    public ChangeWindow window() {
        return window;
    }

    Duration bookmarkEvery() {
        return settings.bookmarkEvery();
    }

    /** The changes of a kind that the window no longer holds. */
    ChangeLog.Page readLog(KindDescriptor<?> kind, long after, int limit) {
        return changeLog.readKind(kind, after, limit);
    }

    /** Waits until the feed has reached a revision; false on timeout. */
    public boolean awaitHead(long revision, Duration timeout) {
        long nanos = timeout.toNanos();
        advancing.lock();
        try {
            while (window.head() < revision) {
                if (nanos <= 0 || closed) {
                    return false;
                }
                nanos = advanced.awaitNanos(nanos);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            advancing.unlock();
        }
    }

    private void publish(ChangeWindow next) {
        advancing.lock();
        try {
            window = next;
            advanced.signalAll();
        } finally {
            advancing.unlock();
        }
    }

    /** Registers a watch to be woken by changes of its kind. */
    public void register(ChangeWatch watch) {
        watches.add(watch);
        if (closed) {
            watch.close();
        }
    }

    void deregister(ChangeWatch watch) {
        watches.remove(watch);
    }

    /** Why the log cannot be read; empty when it can. */
    public Optional<String> trouble() {
        String failure = failed;
        if (failure != null) {
            return Optional.of(failure);
        }
        Duration silence = Duration.ofNanos(System.nanoTime() - readAt);
        return silence.compareTo(settings.pollEvery().plus(SILENCE)) < 0
                ? Optional.empty()
                : Optional.of(
                        "the database has not answered for %d s".formatted(silence.toSeconds()));
    }

    private void follow() {
        while (!closed) {
            try {
                drain();
                readAt = System.nanoTime();
                if (failed != null) {
                    failed = null;
                    log.atInfo().addKeyValue("shard", shard).log("Change log can be read again");
                }
            } catch (DataAccessException e) {
                if (failed == null && !closed) {
                    log.atWarn()
                            .addKeyValue("shard", shard)
                            .setCause(e)
                            .log("Change log cannot be read, watches wait");
                }
                failed = DatabaseFailure.of(e).map(DatabaseFailure::message).orElse(e.toString());
            }
            try {
                announced.await(settings.pollEvery());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void drain() {
        boolean more = true;
        while (more && !closed) {
            ChangeLog.Page page = changeLog.read(shard, window.head(), READ_LIMIT);
            ChangeLog.Bounds bounds = page.bounds();
            if (bounds.head() < window.head() || bounds.compacted() > window.head()) {
                restart(bounds);
                return;
            }
            if (!page.changes().isEmpty()) {
                publish(window.with(page.changes(), settings.windowChanges()));
                wake(page.changes());
            }
            more = page.changes().size() == READ_LIMIT;
        }
    }

    /** The database holds another history than before: every watch has to begin again. */
    private void restart(ChangeLog.Bounds bounds) {
        log.atWarn()
                .addKeyValue("shard", shard)
                .addKeyValue("followedTo", window.head())
                .addKeyValue("head", bounds.head())
                .log("Change log was replaced, watches expire");
        publish(ChangeWindow.startingAt(window.epoch() + 1, bounds.head()));
        watches.forEach(ChangeWatch::wake);
    }

    private void wake(List<Change> changes) {
        Set<String> kinds = changes.stream().map(Change::kind).collect(Collectors.toSet());
        for (ChangeWatch watch : watches) {
            if (kinds.contains(watch.kindColumn())) {
                watch.wake();
            }
        }
    }

    /** Ends all watches and the feed; returns when nothing is read any more. */
    @Override
    public void close() {
        closed = true;
        announced.raise();
        watches.forEach(ChangeWatch::close);
        Thread following = tailer;
        if (following != null) {
            try {
                // Not interrupted: that would cut the pool's connection that it may be using.
                following.join(CLOSE_TIMEOUT);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
