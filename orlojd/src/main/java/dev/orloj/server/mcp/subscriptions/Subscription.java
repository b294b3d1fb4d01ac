package dev.orloj.server.mcp.subscriptions;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.ListKind;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Queues the notifications of one listening client until its stream takes them. Equal notifications
 * are merged, and the oldest log messages are dropped when there are too many, so the queue stays
 * small. Thread-safe.
 */
public final class Subscription implements AutoCloseable {

    private static final int MAX_MESSAGES = 100;

    private final Subscriptions all;
    private final EndpointScope scope;
    private final String session;
    private final Rights rights;
    private final SubscriptionFilter filter;

    /** Absent where all clients see the same. */
    private final @Nullable SeenLists seen;

    private final Rights.Watch watch;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Set<ListKind> changedLists = EnumSet.noneOf(ListKind.class);

    @GuardedBy("lock")
    private final Deque<Notification> messages = new ArrayDeque<>(0);

    @GuardedBy("lock")
    private boolean closed;

    /**
     * @param session id of the session that it ends with; empty when there is none
     */
    Subscription(
            Subscriptions all,
            EndpointScope scope,
            String session,
            Rights rights,
            SubscriptionFilter filter,
            @Nullable SeenLists seen) {
        this.all = all;
        this.scope = scope;
        this.session = session;
        this.rights = rights;
        this.filter = filter;
        this.seen = seen;
        this.watch = seen == null ? Rights.Watch.NONE : rights.watch(() -> rightsChanged(seen));
    }

    /** A change between the look at the lists and the start of the watch is noticed here. */
    void begin() {
        if (seen != null) {
            rightsChanged(seen);
        }
    }

    /** Ends with the last right of its user. */
    private void rightsChanged(SeenLists lists) {
        Set<ListKind> changed = EnumSet.noneOf(ListKind.class);
        boolean isOver = lists.update(changed);
        changed.forEach(this::listChanged);
        if (isOver) {
            close();
        }
    }

    /** Sends the change of a list of a server, if the client can see it. */
    void listChanged(ListKind list, ResourceKey server) {
        if (filter.lists().contains(list) && (seen == null || seen.contain(list, server))) {
            listChanged(list);
        }
    }

    /** Returns what the user of the client may see and use. */
    public Rights rights() {
        return rights;
    }

    public EndpointScope scope() {
        return scope;
    }

    public String session() {
        return session;
    }

    public SubscriptionFilter filter() {
        return filter;
    }

    public void listChanged(ListKind list) {
        if (!filter.lists().contains(list)) {
            return;
        }
        lock.lock();
        try {
            changedLists.add(list);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public void send(Notification message) {
        lock.lock();
        try {
            if (messages.contains(message)) {
                return;
            }
            messages.add(message);
            if (messages.size() > MAX_MESSAGES) {
                messages.remove();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits at most the timeout for notifications; returns an empty list when there are none. */
    public List<Notification> next(Duration timeout) throws InterruptedException {
        long nanos = timeout.toNanos();
        lock.lock();
        try {
            while (!closed && changedLists.isEmpty() && messages.isEmpty() && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            List<Notification> notification =
                    new ArrayList<>(changedLists.size() + messages.size());
            changedLists.forEach(
                    list -> notification.add(new Notification(list.notification(), null)));
            notification.addAll(messages);
            changedLists.clear();
            messages.clear();
            return notification;
        } finally {
            lock.unlock();
        }
    }

    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        all.remove(this);
        watch.close();
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
