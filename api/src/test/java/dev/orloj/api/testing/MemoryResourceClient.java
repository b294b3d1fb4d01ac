package dev.orloj.api.testing;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.ApiException;
import dev.orloj.api.FieldSelector;
import dev.orloj.api.Kind;
import dev.orloj.api.LabelSelector;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.ResourceList;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchClosedException;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.client.Write;
import dev.orloj.api.codec.ResourceCodec;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A store in memory with the semantics of the real one, less admission: what is written is neither
 * defaulted nor validated. Passes {@link ResourceClientContract}. Safe for many threads.
 */
public final class MemoryResourceClient implements ResourceClient {

    /** The rest of a list that was cut into pages. */
    private record Rest(long version, List<ObjectNode> items) {}

    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<MemoryWatch<?>> watches = ConcurrentHashMap.newKeySet();

    @GuardedBy("lock")
    private MemoryDocuments documents = new MemoryDocuments();

    @GuardedBy("lock")
    private final Map<String, Rest> pages = new HashMap<>();

    public MemoryResourceClient(InstantSource clock) {
        this.clock = clock;
    }

    /** Forgets all changes so far: who has not seen them has to list again. */
    public void compact() {
        lock.lock();
        try {
            documents.compact();
            pages.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Cuts every open watch off; nothing is lost for who resumes. */
    public void cutWatches() {
        watches.forEach(MemoryWatch::cut);
        wakeWatches();
    }

    /** The revision of the last write. */
    public ResourceVersion head() {
        return locked(all -> new ResourceVersion(all.head()));
    }

    @Override
    public <R extends Resource> Optional<R> find(Kind<R> kind, ResourceKey key) {
        return locked(all -> all.find(kind, key)).map(document -> typed(kind, document));
    }

    @Override
    public <R extends Resource> ResourceList<R> list(Kind<R> kind, ListOptions options) {
        lock.lock();
        try {
            Rest from =
                    options.continueToken().isEmpty()
                            ? new Rest(
                                    documents.head(),
                                    documents.select(
                                            kind,
                                            selection(
                                                    options.namespace(),
                                                    options.labels(),
                                                    options.fields())))
                            : pages.get(options.continueToken());
            if (from == null) {
                throw ApiException.expired("The continue token is too old; list again");
            }
            return page(kind, options.limit(), from);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private <R extends Resource> ResourceList<R> page(Kind<R> kind, int limit, Rest from) {
        List<ObjectNode> items = from.items();
        int shown = limit == 0 ? items.size() : Math.min(limit, items.size());
        String token = "";
        if (shown < items.size()) {
            token = UUID.randomUUID().toString();
            pages.put(token, new Rest(from.version(), items.subList(shown, items.size())));
        }
        return new ResourceList<>(
                new ResourceVersion(from.version()),
                items.subList(0, shown).stream().map(document -> typed(kind, document)).toList(),
                token,
                items.size() - shown);
    }

    @Override
    public <R extends Resource> Watch<R> watch(Kind<R> kind, WatchOptions options) {
        Predicate<ObjectNode> selection =
                selection(options.namespace(), options.labels(), options.fields());
        lock.lock();
        try {
            boolean fromNow = !options.from().isSet();
            long from = fromNow ? documents.head() : options.from().value();
            documents.changesAfter(from);
            MemoryWatch<R> watch = new MemoryWatch<>(this, kind, selection, from);
            if (fromNow) {
                documents.select(kind, selection).forEach(watch::publish);
            }
            watches.add(watch);
            return watch;
        } finally {
            lock.unlock();
        }
    }

    /** The changes after a position, waited for until the deadline; empty when there are none. */
    List<MemoryDocuments.Change> awaitChanges(MemoryWatch<?> watch, long position, long deadline)
            throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                if (watch.isClosed()) {
                    watches.remove(watch);
                    throw new WatchClosedException("The watch was closed");
                }
                List<MemoryDocuments.Change> changes =
                        List.copyOf(documents.changesAfter(position));
                long left = deadline - System.nanoTime();
                if (!changes.isEmpty() || left <= 0) {
                    return changes;
                }
                changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    void wakeWatches() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public <R extends Resource> R create(Kind<R> kind, R resource) {
        return write(
                kind, resource, (all, document) -> all.create(kind, document, clock.instant()));
    }

    @Override
    public <R extends Resource> R update(Kind<R> kind, R resource) {
        return write(kind, resource, (all, document) -> all.update(kind, document));
    }

    @Override
    public <R extends Resource> R updateStatus(Kind<R> kind, R resource) {
        return write(kind, resource, (all, document) -> all.updateStatus(kind, document));
    }

    @Override
    public <R extends Resource> R updateFinalizers(Kind<R> kind, R resource) {
        return write(kind, resource, (all, document) -> all.updateFinalizers(kind, document));
    }

    private <R extends Resource> R write(
            Kind<R> kind, R resource, BiFunction<MemoryDocuments, ObjectNode, ObjectNode> action) {
        ObjectNode document = ResourceCodec.toDocument(resource);
        return typed(kind, locked(all -> action.apply(all, document)));
    }

    @Override
    public <R extends Resource> R patch(Kind<R> kind, ResourceKey key, ObjectNode mergePatch) {
        return typed(kind, locked(all -> all.patch(kind, key, mergePatch)));
    }

    @Override
    public <R extends Resource> void delete(Kind<R> kind, ResourceKey key, DeleteOptions options) {
        locked(
                all -> {
                    all.delete(kind, key, options, clock.instant());
                    return key;
                });
    }

    @Override
    public <R extends Resource> void writeAll(Kind<R> kind, List<Write<R>> writes) {
        lock.lock();
        try {
            MemoryDocuments before = new MemoryDocuments(documents);
            try {
                ResourceClient.super.writeAll(kind, writes);
            } catch (RuntimeException e) {
                documents = before;
                throw e;
            }
        } finally {
            lock.unlock();
        }
    }

    private <T> T locked(Function<MemoryDocuments, T> action) {
        lock.lock();
        try {
            T answer = action.apply(documents);
            changed.signalAll();
            return answer;
        } finally {
            lock.unlock();
        }
    }

    <R extends Resource> R typed(Kind<R> kind, ObjectNode document) {
        return ResourceCodec.fromDocument(kind, document);
    }

    /** Of the selectable fields, a store without descriptors knows name and namespace. */
    private static Predicate<ObjectNode> selection(
            String namespace, LabelSelector labels, FieldSelector fields) {
        return document -> {
            ObjectNode metadata = MemoryDocuments.metadata(document);
            String itsNamespace = metadata.path("namespace").asString("");
            Map<String, String> itsLabels = new LinkedHashMap<>();
            metadata.path("labels")
                    .properties()
                    .forEach(l -> itsLabels.put(l.getKey(), l.getValue().asString()));
            return (namespace.isEmpty() || namespace.equals(itsNamespace))
                    && labels.matches(itsLabels)
                    && fields.matches(
                            Map.of(
                                    "metadata.name",
                                    metadata.path("name").asString(""),
                                    "metadata.namespace",
                                    itsNamespace));
        };
    }
}
