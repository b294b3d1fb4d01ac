package dev.orloj.controllers.compact;

import org.jspecify.annotations.Nullable;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;

/**
 * Stores a few entries in one array, in the order of the source map. Uses a quarter of the memory
 * of a LinkedHashMap. Unmodifiable. A look-up compares every key, so it is for few entries.
 */
final class SmallMap<V> extends AbstractMap<String, V> {

    /** The most entries for which this map is the better choice. */
    static final int MAX_ENTRIES = 8;

    /** Alternating keys and values. */
    private final Object[] entries;

    SmallMap(Map<String, V> map) {
        entries = new Object[map.size() * 2];
        int i = 0;
        for (Map.Entry<String, V> entry : map.entrySet()) {
            entries[i++] = entry.getKey();
            entries[i++] = entry.getValue();
        }
    }

    @Override
    @SuppressWarnings("unchecked") // only values of V are put in
    public @Nullable V get(@Nullable Object key) {
        for (int i = 0; i < entries.length; i += 2) {
            if (entries[i].equals(key)) {
                return (V) entries[i + 1];
            }
        }
        return null;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return get(key) != null;
    }

    @Override
    public int size() {
        return entries.length / 2;
    }

    @Override
    public Set<Entry<String, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<String, V>> iterator() {
                return new Entries();
            }

            @Override
            public int size() {
                return SmallMap.this.size();
            }
        };
    }

    private final class Entries implements Iterator<Entry<String, V>> {

        private int next = 0;

        @Override
        public boolean hasNext() {
            return next < entries.length;
        }

        @Override
        @SuppressWarnings("unchecked") // only such keys and values are put in
        public Entry<String, V> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Entry<String, V> entry = Map.entry((String) entries[next], (V) entries[next + 1]);
            next += 2;
            return entry;
        }
    }
}
