package dev.orloj.controllers;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How far the catalog of this process follows the servers, tools and namespaces of the store. A
 * client reads them from the store, or from another replica, and may use them before the informers
 * of this process receive them. Thread-safe.
 *
 * <p>All who wait share one read of the store at a time, and there is a pause between two reads:
 * requests about what does not exist cost the database 200 reads a second at most.
 */
public final class CatalogFreshness {

    private static final Logger log = LoggerFactory.getLogger(CatalogFreshness.class);

    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    /** What the catalog has is of use to those who do not insist. */
    private static final Duration MAX_SHORT_WAIT = Duration.ofSeconds(1);

    private static final Duration PAUSE = Duration.ofMillis(5);

    private final ResourceClient client;
    private final Informer<Namespace> namespaces;
    private final List<Informer<?>> informers;
    private final Duration pause;

    /** A read that has not begun; null when no one waits for one. */
    @GuardedBy("this")
    private @Nullable CompletableFuture<List<Newest>> next;

    /** Whether a thread reads, or pauses after a read. */
    @GuardedBy("this")
    private boolean reading;

    /** When the present read began, by {@link System#nanoTime}; null when there is none. */
    private volatile @Nullable Long begun;

    /** The newest change of one kind in the store. */
    private record Newest(Informer<?> informer, ResourceVersion version) {}

    /**
     * @param informers that follow at least Tools, McpServers and Namespaces
     */
    public CatalogFreshness(ResourceClient client, Informers informers) {
        this(client, informers, PAUSE);
    }

    CatalogFreshness(ResourceClient client, Informers informers, Duration pause) {
        this.client = client;
        this.namespaces = informers.of(Namespace.KIND);
        this.informers = List.of(informers.of(Tool.KIND), informers.of(McpServer.KIND), namespaces);
        this.pause = pause;
    }

    /** Returns whether this process has received a namespace that is there. */
    public boolean hasNamespace(String name) {
        return namespaces.cache().find(new ResourceKey("", name)).isPresent();
    }

    /**
     * Waits until the catalog reflects what the store held when this was called.
     *
     * @throws ApiException (Timeout) when the informers take more than five seconds,
     *     (ServiceUnavailable) when the store does, or the error of the store
     */
    public void await() throws InterruptedException {
        if (!reached(MAX_WAIT)) {
            throw new ApiException(
                    ErrorReason.TIMEOUT,
                    ("this orlojd has not received all McpServers, Tools and Namespaces of the"
                         + " store within %d seconds; the request was not carried out: try again")
                            .formatted(MAX_WAIT.toSeconds()));
        }
    }

    /**
     * Waits like {@link #await}, but for one second at most, and not while the store does not
     * answer: the catalog may still be behind it afterwards.
     */
    public void awaitBriefly() throws InterruptedException {
        Long since = begun;
        if (since != null && System.nanoTime() - since > MAX_SHORT_WAIT.toNanos()) {
            return;
        }
        try {
            if (!reached(MAX_SHORT_WAIT)) {
                log.debug("The catalog is behind the store");
            }
        } catch (ApiException e) {
            log.atDebug()
                    .addKeyValue("error", e.getMessage())
                    .log("Cannot compare the catalog with the store");
        }
    }

    private boolean reached(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            for (Newest newest : nextRead().get(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                if (!newest.informer().awaitFresh(newest.version(), until(deadline))) {
                    return false;
                }
            }
            return true;
        } catch (TimeoutException e) {
            throw new ApiException(
                    ErrorReason.SERVICE_UNAVAILABLE,
                    "the store has not responded within %d seconds; the request was not carried out: try again"
                            .formatted(timeout.toSeconds()));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApiException failure) {
                throw failure;
            }
            throw new IllegalStateException("The store cannot be read", e.getCause());
        }
    }

    private static Duration until(long deadline) {
        return Duration.ofNanos(deadline - System.nanoTime());
    }

    /** Returns a read that begins after this call. */
    private synchronized CompletableFuture<List<Newest>> nextRead() {
        CompletableFuture<List<Newest>> read = next;
        if (read == null) {
            read = new CompletableFuture<>();
            next = read;
        }
        if (!reading) {
            reading = true;
            // A thread of its own, because a read of a database that is away cannot be left.
            Thread.ofVirtual().name("catalog-freshness").start(this::read);
        }
        return read;
    }

    private synchronized @Nullable CompletableFuture<List<Newest>> begin() {
        CompletableFuture<List<Newest>> read = next;
        next = null;
        reading = read != null;
        return read;
    }

    private void read() {
        CompletableFuture<List<Newest>> read = begin();
        while (read != null) {
            begun = System.nanoTime();
            try {
                read.complete(readNewest());
            } catch (RuntimeException | Error e) {
                read.completeExceptionally(e);
            }
            begun = null;
            pause();
            read = begin();
        }
    }

    private List<Newest> readNewest() {
        List<Newest> newest = new ArrayList<>();
        for (Informer<?> informer : informers) {
            newest.add(new Newest(informer, client.newestChange(informer.kind())));
        }
        return newest;
    }

    private void pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        } catch (InterruptedException e) {
            // Nothing interrupts this thread; without the pause the next read is early.
            Thread.currentThread().interrupt();
        }
    }
}
