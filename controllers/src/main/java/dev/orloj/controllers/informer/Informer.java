package dev.orloj.controllers.informer;

import dev.orloj.api.ApiException;
import dev.orloj.api.Backoff;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.ResourceList;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchClosedException;
import dev.orloj.api.client.WatchOptions;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Lists a collection once and then watches it. A watch that ends resumes at its last position. If
 * the store no longer has that position, the informer lists the collection again and delivers the
 * differences as if it had watched them. Handlers and indexes must be added before {@link #start}.
 * Everything else is thread-safe.
 */
public final class Informer<R extends Resource> implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Informer.class);
    private static final int PAGE = 1_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Backoff BACKOFF =
            new Backoff(Duration.ofMillis(50), Duration.ofSeconds(10), 0.5);

    private final ResourceClient client;
    private final Kind<R> kind;
    private final Cache<R> cache = new Cache<>();
    private final List<EventHandler<? super R>> handlers = new CopyOnWriteArrayList<>();
    private volatile UnaryOperator<R> transform = UnaryOperator.identity();
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch synced = new CountDownLatch(1);

    private final Lock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();

    /** Only the thread of the informer writes it. */
    private volatile ResourceVersion position = ResourceVersion.UNSET;

    // Only the thread of the informer uses the fields below.
    private boolean listed;
    private int failures;

    public Informer(ResourceClient client, Kind<R> kind) {
        this.client = client;
        this.kind = kind;
        this.thread = Thread.ofVirtual().name("informer-" + kind.plural()).unstarted(this::run);
    }

    public Kind<R> kind() {
        return kind;
    }

    public Cache<R> cache() {
        return cache;
    }

    public void addHandler(EventHandler<? super R> handler) {
        handlers.add(handler);
    }

    /** Creates an index of the cache with the terms that a function returns for each resource. */
    public Index<R> addIndex(Function<R, ? extends Collection<String>> terms) {
        return cache.index(terms);
    }

    /**
     * Sets a function that transforms resources before the cache stores them and handlers receive
     * them. One thread calls the function. Called only before the informer starts.
     */
    public void setTransform(UnaryOperator<R> form) {
        transform = form;
    }

    public void start() {
        thread.start();
    }

    /**
     * Returns whether the cache has held the whole collection once and every handler has received
     * it.
     */
    public boolean hasSynced() {
        return synced.getCount() == 0;
    }

    /** Waits for {@link #hasSynced}. */
    public void awaitSynced() throws InterruptedException {
        synced.await();
    }

    /**
     * Waits until the cache and every handler have received what was written up to a revision of
     * the collection: {@code waitUntilFresh} of the watch cache of Kubernetes. That includes the
     * first list, whatever the revision: a log that was compacted knows no change.
     *
     * @return false when this takes longer than the timeout
     */
    public boolean awaitFresh(ResourceVersion least, Duration timeout) throws InterruptedException {
        long nanos = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (!hasSynced() || position.compareTo(least) < 0) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = moved.awaitNanos(nanos);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns when no handler is called any more. */
    @Override
    public void close() throws InterruptedException {
        closing.countDown();
        thread.interrupt();
        thread.join();
    }

    private void run() {
        try {
            do {
                attempt();
            } while (!closing.await(pause().toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            // Only close() interrupts, so there is nothing left to do.
            log.atDebug().addKeyValue("kind", kind).log("Informer stopped");
        }
    }

    private Duration pause() {
        return BACKOFF.delay(++failures, ThreadLocalRandom.current());
    }

    /** Follows the store until the watch ends or fails. */
    private void attempt() throws InterruptedException {
        try {
            if (!listed) {
                relist();
            }
            follow();
        } catch (WatchClosedException e) {
            log.atDebug().addKeyValue("kind", kind).log("Watch ended, resuming");
        } catch (ApiException e) {
            if (e.reason() == ErrorReason.EXPIRED) {
                listed = false;
                log.atDebug().addKeyValue("kind", kind).log("Watch expired, listing again");
            } else {
                warn(e);
            }
        } catch (RuntimeException e) {
            warn(e);
        }
    }

    private void warn(RuntimeException cause) {
        log.atWarn()
                .addKeyValue("kind", kind)
                .addKeyValue("error", cause.toString())
                .log("Cannot follow the store, trying again");
    }

    private void relist() {
        Set<ResourceKey> gone = cache.keys();
        ListOptions options = ListOptions.everything();
        ResourceList<R> page = client.list(kind, options.page(PAGE, ""));
        List<R> found = new ArrayList<>();
        page.items().forEach(resource -> found.add(transform.apply(resource)));
        while (page.hasMore()) {
            page = client.list(kind, options.page(PAGE, page.continueToken()));
            page.items().forEach(resource -> found.add(transform.apply(resource)));
        }
        for (R resource : found) {
            gone.remove(resource.key());
            put(resource);
        }
        gone.forEach(this::remove);
        synced.countDown();
        moveTo(page.version());
        listed = true;
        failures = 0;
    }

    private void follow() throws InterruptedException {
        try (Watch<R> watch = client.watch(kind, WatchOptions.everythingAfter(position))) {
            while (true) {
                watch.next(TIMEOUT).ifPresent(this::apply);
                failures = 0;
            }
        }
    }

    private void apply(WatchEvent<R> event) {
        switch (event) {
            case WatchEvent.Added<R>(R resource) -> move(put(transform.apply(resource)));
            case WatchEvent.Modified<R>(R resource) -> move(put(transform.apply(resource)));
            case WatchEvent.Deleted<R>(R resource) -> {
                remove(resource.key());
                move(resource);
            }
            case WatchEvent.Bookmark<R>(ResourceVersion version, boolean _) -> moveTo(version);
        }
    }

    private void move(R seen) {
        moveTo(seen.metadata().resourceVersion());
    }

    private void moveTo(ResourceVersion version) {
        lock.lock();
        try {
            position = version;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private R put(R resource) {
        R before = cache.put(resource);
        if (before == null) {
            notifyHandlers(handler -> handler.added(resource, !hasSynced()));
        } else if (!before.metadata().uid().equals(resource.metadata().uid())) {
            // The resource was deleted and created again while the watch was interrupted: these are
            // two events.
            notifyHandlers(handler -> handler.deleted(before));
            notifyHandlers(handler -> handler.added(resource, false));
        } else if (!before.metadata()
                .resourceVersion()
                .equals(resource.metadata().resourceVersion())) {
            notifyHandlers(handler -> handler.updated(before, resource));
        }
        return resource;
    }

    private void remove(ResourceKey key) {
        R before = cache.remove(key);
        if (before != null) {
            notifyHandlers(handler -> handler.deleted(before));
        }
    }

    private void notifyHandlers(Consumer<EventHandler<? super R>> notification) {
        for (EventHandler<? super R> handler : handlers) {
            try {
                notification.accept(handler);
            } catch (RuntimeException e) {
                log.atError()
                        .addKeyValue("kind", kind)
                        .setCause(e)
                        .log("Handler failed, the change is lost for it");
            }
        }
    }
}
