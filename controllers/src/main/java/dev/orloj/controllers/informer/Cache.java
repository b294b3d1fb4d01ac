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
 * The resources of a kind as the informer last saw them: right in the past, at times behind the
 * store, even behind what its reader has just written. Safe for many threads; written by one.
 */
public final class Cache<R extends Resource> {

    private final ConcurrentSkipListMap<ResourceKey, R> resources = new ConcurrentSkipListMap<>();
    private final List<Index<R>> indexes = new CopyOnWriteArrayList<>();

    Cache() {}

    /**
     * Makes resources findable by the terms that a function gives for each of them. Only before the
     * informer is started.
     */
    Index<R> index(Function<R, ? extends Collection<String>> terms) {
        Index<R> index = new Index<>(terms);
        indexes.add(index);
        return index;
    }

    public Optional<R> find(ResourceKey key) {
        return Optional.ofNullable(resources.get(key));
    }

    /** Everything, ordered by key. */
    public List<R> list() {
        return List.copyOf(resources.values());
    }

    /** Everything of a namespace, ordered by name. */
    public Collection<R> inNamespace(String namespace) {
        // The first name that could follow: no namespace holds a NUL.
        ResourceKey end = new ResourceKey(namespace + '\0', "");
        return resources.subMap(new ResourceKey(namespace, ""), end).values();
    }

    public int size() {
        return resources.size();
    }

    /** Puts a state in the place of the one before, and returns that. */
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
