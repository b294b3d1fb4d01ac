package dev.orloj.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Creates unmodifiable copies that keep the order of the original. Use it instead of {@link
 * Map#copyOf} and {@link Set#copyOf}, which take quadratic time for keys whose hash codes a client
 * made collide.
 */
public final class Frozen {

    private Frozen() {}

    /** Returns a copy of a map without nulls. */
    public static <K, V> Map<K, V> map(Map<? extends K, ? extends V> entries) {
        Map<K, V> copy = LinkedHashMap.newLinkedHashMap(entries.size());
        entries.forEach(
                (key, value) ->
                        copy.put(Objects.requireNonNull(key), Objects.requireNonNull(value)));
        return Collections.unmodifiableMap(copy);
    }

    /** Returns a copy of a set without nulls. */
    public static <E> Set<E> set(Iterable<? extends E> elements) {
        Set<E> copy = new LinkedHashSet<>();
        elements.forEach(element -> copy.add(Objects.requireNonNull(element)));
        return Collections.unmodifiableSet(copy);
    }
}
