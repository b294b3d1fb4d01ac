package dev.orloj.controllers.informer;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** Finds the resources of a {@link Cache} by terms other than their names. Thread-safe. */
public final class Index<R extends Resource> {

    private final Function<R, ? extends Collection<String>> terms;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Map<String, TreeMap<ResourceKey, R>> entries = new HashMap<>();

    /**
     * @param terms returns the terms of a resource; the same for the same resource
     */
    Index(Function<R, ? extends Collection<String>> terms) {
        this.terms = terms;
    }

    /** Returns the resources with the term, ordered by key. */
    public List<R> find(String term) {
        synchronized (lock) {
            TreeMap<ResourceKey, R> found = entries.get(term);
            return found == null ? List.of() : List.copyOf(found.values());
        }
    }

    /** Returns the first resources with the term that satisfy a condition, at most a number. */
    public List<R> find(String term, Predicate<? super R> condition, int atMost) {
        synchronized (lock) {
            TreeMap<ResourceKey, R> found = entries.get(term);
            return found == null
                    ? List.of()
                    : found.values().stream().filter(condition).limit(atMost).toList();
        }
    }

    void replace(ResourceKey key, @Nullable R before, @Nullable R after) {
        synchronized (lock) {
            if (before != null) {
                for (String term : terms.apply(before)) {
                    entries.computeIfPresent(
                            term,
                            (t, found) -> {
                                found.remove(key);
                                return found.isEmpty() ? null : found;
                            });
                }
            }
            if (after != null) {
                for (String term : terms.apply(after)) {
                    entries.computeIfAbsent(term, t -> new TreeMap<>()).put(key, after);
                }
            }
        }
    }
}
