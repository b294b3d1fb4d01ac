package dev.orloj.server.apply;

import java.util.Collections;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * One step of a path into a document. Holds values as canonical JSON text. Immutable.
 *
 * <p>Each kind is {@link Comparable} with itself, so that hash tables stay fast when a client makes
 * the hash codes of its keys collide.
 */
sealed interface PathElement {

    /** Orders fields first, then items by key, by value and by position; each group by its text. */
    Comparator<PathElement> ORDER = PathElement::compare;

    /** The field of an object, or the entry of a map. */
    record Field(String name) implements PathElement, Comparable<Field> {

        @Override
        public int compareTo(Field other) {
            return name.compareTo(other.name);
        }

        @Override
        public String toString() {
            return "." + name;
        }
    }

    /** The item of a list whose key fields have the given values. */
    record Key(SortedMap<String, String> values) implements PathElement, Comparable<Key> {

        public Key {
            values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
        }

        @Override
        public int compareTo(Key other) {
            int byText = toString().compareTo(other.toString());
            // Different keys have the same text only when names contain JSON punctuation.
            return byText != 0 || values.equals(other.values)
                    ? byText
                    : values.keySet().toString().compareTo(other.values.keySet().toString());
        }

        @Override
        public String toString() {
            StringJoiner text = new StringJoiner(",", "[", "]");
            values.forEach((field, value) -> text.add(field + "=" + value));
            return text.toString();
        }
    }

    /** The item of a set. */
    record Value(String json) implements PathElement, Comparable<Value> {

        @Override
        public int compareTo(Value other) {
            return json.compareTo(other.json);
        }

        @Override
        public String toString() {
            return "[=" + json + "]";
        }
    }

    /** The item at a position. Decoded for compatibility: no list here is owned by position. */
    record Index(int position) implements PathElement, Comparable<Index> {

        @Override
        public int compareTo(Index other) {
            return Integer.compare(position, other.position);
        }

        @Override
        public String toString() {
            return "[" + position + "]";
        }
    }

    private int rank() {
        return switch (this) {
            case Field _ -> 0;
            case Key _ -> 1;
            case Value _ -> 2;
            case Index _ -> 3;
        };
    }

    private static int compare(PathElement one, PathElement other) {
        if (one instanceof Field a && other instanceof Field b) {
            return a.compareTo(b);
        }
        if (one instanceof Key a && other instanceof Key b) {
            return a.compareTo(b);
        }
        if (one instanceof Value a && other instanceof Value b) {
            return a.compareTo(b);
        }
        if (one instanceof Index a && other instanceof Index b) {
            return a.compareTo(b);
        }
        return Integer.compare(one.rank(), other.rank());
    }
}
