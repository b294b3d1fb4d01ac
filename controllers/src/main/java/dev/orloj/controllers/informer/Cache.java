package dev.orloj.controllers.informer;

import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * Holds the resources of a kind as the informer last saw them. The state was correct at some time
 * but may be behind the store, even behind a write of its reader. Thread-safe for readers; the
 * informer is the only writer.
 */
public final class Cache<R extends Resource> {

    private final ConcurrentSkipListMap<ResourceKey, R> resources = new ConcurrentSkipListMap<>();
    private final List<Index<R>> indexes = new CopyOnWriteArrayList<>();

    Cache() {}

    /**
     * Creates an index with the terms that a function returns for each resource. Called only before
     * the informer starts.
     */
    Index<R> index(Function<R, ? extends Collection<String>> terms) {
        Index<R> index = new Index<>(terms);
        indexes.add(index);
        return index;
    }

    public Optional<R> find(ResourceKey key) {
        return Optional.ofNullable(resources.get(key));
    }

    /** Returns all resources, ordered by key. */
    public List<R> list() {
        return List.copyOf(resources.values());
    }

    /** Returns all resources of a namespace, ordered by name. */
    public Collection<R> inNamespace(String namespace) {
        // The first namespace that could follow: no namespace contains a NUL.
        ResourceKey end = new ResourceKey(namespace + '\0', "");
        return resources.subMap(new ResourceKey(namespace, ""), end).values();
    }

    /** Stores a state and returns the one before. */
    @Nullable R put(R resource) {
        ResourceKey key = resource.key();
        R before = resources.put(key, resource);
        indexes.forEach(index -> index.replace(key, before, resource));
        return before;
    }

    @Nullable R remove(ResourceKey key) {
        R before = resources.remove(key);
        if (before != null) {
            indexes.forEach(index -> index.replace(key, before, null));
        }
        return before;
    }

    Set<ResourceKey> keys() {
        return new HashSet<>(resources.keySet());
    }
}
