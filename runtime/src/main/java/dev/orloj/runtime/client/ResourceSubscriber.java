package dev.orloj.runtime.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.Frozen;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Implements {@code resources/subscribe} and {@code resources/unsubscribe} for a server of
 * 2026-07-28, which has one request with all subscribed resources instead. Sends that request again
 * for each change of the set. The previous request ends after the server has acknowledged the new
 * one, so that no change is missed. Thread-safe; changes of the set are serialized.
 */
public final class ResourceSubscriber {

    public static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

    private static final String SUBSCRIBE = "resources/subscribe";
    private static final String UNSUBSCRIBE = "resources/unsubscribe";
    private static final String FILTER = "resourceSubscriptions";

    private static final Logger log = LoggerFactory.getLogger(ResourceSubscriber.class);

    private final String session;
    private final Transport transport;
    private final Era era;
    private final Scheduler clock;
    private final Consumer<String> changed;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private Set<String> uris = Set.of();

    @GuardedBy("lock")
    private @Nullable Thread listening;

    private volatile boolean stopped;

    private volatile Requested requested = new Requested(Set.of());

    /**
     * A {@code subscriptions/listen} request in flight.
     *
     * @param agreed the resources that the server has acknowledged
     */
    private record Requested(Set<String> uris, CompletableFuture<Set<String>> agreed) {

        Requested(Set<String> uris) {
            this(uris, new CompletableFuture<>());
        }
    }

    /**
     * @param session name of the session
     * @param changed called with each resource that may have changed without a notification
     */
    ResourceSubscriber(
            String session,
            Transport transport,
            Era era,
            Scheduler clock,
            Consumer<String> changed) {
        this.session = session;
        this.transport = transport;
        this.era = era;
        this.clock = clock;
        this.changed = changed;
    }

    /** Returns whether this class handles the method. */
    static boolean makes(String method) {
        return method.equals(SUBSCRIBE) || method.equals(UNSUBSCRIBE);
    }

    /**
     * Handles one of these requests.
     *
     * @throws JsonRpcException when the server does not offer the resource
     * @throws RequestTimeoutException when the server did not acknowledge in time, or the request
     *     waited too long for another one
     * @throws TransportException when the server cannot be reached or is gone
     */
    JsonNode make(SessionRequest request) throws InterruptedException {
        String uri = request.params().path("uri").asString("");
        long deadline = System.nanoTime() + request.timeout().toNanos();
        try {
            if (!lock.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException();
            }
            try {
                if (request.method().equals(SUBSCRIBE)) {
                    add(uri, deadline);
                } else {
                    remove(uri, deadline);
                }
            } finally {
                lock.unlock();
            }
        } catch (TimeoutException e) {
            throw new RequestTimeoutException(request.method(), request.timeout());
        }
        return JsonNodeFactory.instance.objectNode();
    }

    @GuardedBy("lock")
    private void add(String uri, long deadline) throws InterruptedException, TimeoutException {
        boolean isSubscribed = listening != null && listening.isAlive() && uris.contains(uri);
        Set<String> more = new LinkedHashSet<>(uris);
        more.add(uri);
        if (!isSubscribed && !listenTo(more, Set.of(uri), deadline)) {
            throw new JsonRpcException(
                    new JsonRpcError(
                            JsonRpcError.METHOD_NOT_FOUND,
                            "The server does not report changes of \"" + uri + "\"",
                            null));
        }
    }

    /**
     * Ignores a refusal or timeout: the server then sends unneeded notifications, which is
     * harmless.
     */
    @GuardedBy("lock")
    private void remove(String uri, long deadline) throws InterruptedException {
        Set<String> less = new LinkedHashSet<>(uris);
        if (!less.remove(uri)) {
            return;
        }
        if (less.isEmpty()) {
            replace(null, less);
            return;
        }
        try {
            listenTo(less, less, deadline);
        } catch (TimeoutException | TransportException e) {
            log.atDebug().setCause(e).addKeyValue("session", session).log("Listening as before");
        }
    }

    /**
     * Subscribes to these resources, unless the server refuses a required one.
     *
     * @return whether the server agreed
     */
    @GuardedBy("lock")
    private boolean listenTo(Set<String> wanted, Set<String> needed, long deadline)
            throws InterruptedException, TimeoutException {
        Thread next = begin(wanted);
        boolean isAgreed = false;
        try {
            isAgreed = agreement(deadline).containsAll(needed);
            return isAgreed;
        } finally {
            if (isAgreed) {
                replace(next, wanted);
            } else {
                next.interrupt();
            }
        }
    }

    @GuardedBy("lock")
    private void replace(@Nullable Thread next, Set<String> changedUris) {
        if (listening != null) {
            listening.interrupt();
        }
        listening = next;
        uris = changedUris;
    }

    private Thread begin(Set<String> wanted) {
        ObjectNode filter = JsonNodeFactory.instance.objectNode();
        ArrayNode names = filter.putArray(FILTER);
        wanted.forEach(names::add);
        Requested next = new Requested(wanted);
        requested = next;
        if (stopped) {
            next.agreed().completeExceptionally(gone());
        }
        SubscriptionListener work =
                new SubscriptionListener(
                        transport,
                        era,
                        clock,
                        filter,
                        () -> wanted.forEach(changed),
                        next.agreed()::completeExceptionally);
        return Thread.ofVirtual()
                .name("orloj-resources-" + session)
                .start(
                        () -> {
                            work.run();
                            next.agreed().completeExceptionally(gone());
                        });
    }

    private Set<String> agreement(long deadline) throws InterruptedException, TimeoutException {
        try {
            return requested.agreed().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof JsonRpcException) {
                return Set.of(); // the server refused
            }
            throw e.getCause() instanceof TransportException failure
                    ? new TransportException(String.valueOf(failure.getMessage()), false, failure)
                    : gone();
        }
    }

    /** Not delivered, so the request may be repeated in the next session. */
    private static TransportException gone() {
        return new TransportException(
                "The server was gone before it acknowledged the subscription", false);
    }

    /**
     * Handles the server's acknowledgement of a subscription. Its {@code _meta} identifies the
     * request by an id that only the transport knows. Here the filter identifies it: that of lists
     * has no resources, and that of a cancelled request has other resources.
     */
    void acknowledged(@Nullable JsonNode params) {
        if (params == null || !(params.get("notifications") instanceof ObjectNode filter)) {
            return;
        }
        boolean isForLists =
                filter.propertyNames().stream().anyMatch(name -> name.endsWith("ListChanged"));
        Set<String> acknowledged =
                Frozen.set(filter.path(FILTER).valueStream().map(uri -> uri.asString("")).toList());
        Requested open = requested;
        if (!isForLists && open.uris().containsAll(acknowledged)) {
            open.agreed().complete(acknowledged);
        }
    }

    /** Ends the subscription and fails pending requests. */
    void stop() {
        stopped = true;
        requested.agreed().completeExceptionally(gone());
        lock.lock();
        try {
            replace(null, Set.of());
        } finally {
            lock.unlock();
        }
    }
}
