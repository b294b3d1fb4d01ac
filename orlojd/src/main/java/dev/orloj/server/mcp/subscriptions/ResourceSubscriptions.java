package dev.orloj.server.mcp.subscriptions;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.server.mcp.catalog.FeatureNames.Owned;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.session.SessionTokens;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * Records which resources the sessions of this replica have subscribed to, until the sessions end
 * or expire. Resources are identified by their server's own name, because one resource may have
 * another name at each endpoint. Clients of revision 2026-07-28 subscribe when they begin to
 * listen; {@code Subscriptions} holds those. Thread-safe.
 */
public final class ResourceSubscriptions {

    /** No sensible client needs more. */
    public static final int MAX_PER_CLIENT = 10_000;

    /** The limit of all subscriptions together; many clients never unsubscribe. */
    private static final long MAX_BYTES = 64L * 1024 * 1024;

    /** Approximate size of one, besides its URI. */
    private static final long OVERHEAD_BYTES = 100;

    private record Entry(Instant openedAt, Set<Owned> resources) {

        long bytes() {
            return resources.stream().mapToLong(ResourceSubscriptions::bytes).sum();
        }
    }

    private final InstantSource clock;
    private final Subscriptions listeners;

    @GuardedBy("this")
    private final Map<String, Entry> bySession = new HashMap<>();

    @GuardedBy("this")
    private long bytes;

    public ResourceSubscriptions(InstantSource clock, Subscriptions listeners) {
        this.clock = clock;
        this.listeners = listeners;
    }

    /**
     * Returns false when the session has it already.
     *
     * @throws ProtocolError when the session, or all of them, have too many
     */
    public synchronized boolean add(ClientSession session, Owned resource) {
        Entry entry = bySession.get(session.id());
        if (entry == null) {
            dropOld();
            entry = new Entry(session.openedAt(), new HashSet<>());
        }
        if (entry.resources().contains(resource)) {
            return false;
        }
        if (entry.resources().size() >= MAX_PER_CLIENT) {
            throw ProtocolError.invalidParams(
                    "A session may subscribe to %d resources; unsubscribe from some"
                            .formatted(MAX_PER_CLIENT));
        }
        if (bytes + bytes(resource) > MAX_BYTES) {
            throw ProtocolError.internal(
                    "The subscriptions to resources of all sessions take %d MiB, the most that they"
                                    .formatted(MAX_BYTES / 1024 / 1024)
                            + " may: end sessions that are done with DELETE",
                    null);
        }
        entry.resources().add(resource);
        bySession.put(session.id(), entry);
        bytes += bytes(resource);
        return true;
    }

    /** A client that vanishes does not end its session. */
    @GuardedBy("this")
    private void dropOld() {
        Instant now = clock.instant();
        for (Iterator<Entry> each = bySession.values().iterator(); each.hasNext(); ) {
            Entry entry = each.next();
            if (SessionTokens.isOver(entry.openedAt(), now)) {
                each.remove();
                bytes -= entry.bytes();
            }
        }
    }

    public synchronized void remove(ClientSession session, Owned resource) {
        Entry entry = bySession.get(session.id());
        if (entry != null && entry.resources().remove(resource)) {
            bytes -= bytes(resource);
            if (entry.resources().isEmpty()) {
                bySession.remove(session.id());
            }
        }
    }

    public synchronized void end(ClientSession session) {
        Entry entry = bySession.remove(session.id());
        if (entry != null) {
            bytes -= entry.bytes();
        }
    }

    public synchronized boolean isSubscribed(String session, Owned resource) {
        Entry entry = bySession.get(session);
        return entry != null && entry.resources().contains(resource);
    }

    /**
     * Whether any session has subscribed to the resource, or any client listens for it, at any
     * endpoint.
     */
    public boolean isWanted(Owned resource) {
        return isOfASession(resource) || listeners.isWanted(resource);
    }

    private synchronized boolean isOfASession(Owned resource) {
        return bySession.values().stream().anyMatch(entry -> entry.resources().contains(resource));
    }

    private static long bytes(Owned resource) {
        return OVERHEAD_BYTES + resource.name().length();
    }
}
