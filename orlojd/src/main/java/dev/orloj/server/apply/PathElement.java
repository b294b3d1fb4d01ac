package dev.orloj.server.apply;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;

/** One step of a path into a document. Values are held as canonical JSON text. Immutable. */
sealed interface PathElement extends Comparable<PathElement> {

    /** Fields, then items by key, then items by value, then items by position; each by its text. */
    Comparator<PathElement> ORDER =
            Comparator.<PathElement>comparingInt(PathElement::rank)
                    .thenComparing(PathElement::toString);

    /** The field of an object, or the entry of a map. */
    record Field(String name) implements PathElement {

        @Override
        public String toString() {
            return "." + name;
        }
    }

    /** The item of a list whose key fields have these values. */
    record Key(SortedMap<String, String> values) implements PathElement {

        public Key {
            values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
        }

        static Key of(String field, String json) {
            return new Key(new TreeMap<>(Map.of(field, json)));
        }

        @Override
        public String toString() {
            StringJoiner text = new StringJoiner(",", "[", "]");
            values.forEach((field, value) -> text.add(field + "=" + value));
            return text.toString();
        }
    }

    /** The item of a set. */
    record Value(String json) implements PathElement {

        @Override
        public String toString() {
            return "[=" + json + "]";
        }
    }

    /** The item at a position. Read for the sake of others; no list here is owned by position. */
    record Index(int position) implements PathElement {

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

    @Override
    default int compareTo(PathElement other) {
        // Nearly all elements are fields.
        return this instanceof Field(String name) && other instanceof Field(String otherName)
                ? name.compareTo(otherName)
                : ORDER.compare(this, other);
    }
}
