package dev.orloj.runtime.workload;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The values of Secrets that a server gets, which nothing that people read may show. {@code
 * toString} shows none.
 *
 * @param values the longest first, so that one that contains another one is replaced first
 */
public record SecretValues(List<String> values) {

    /** No values. */
    public static final SecretValues NONE = new SecretValues(List.of());

    private static final String MASK = "***";

    /** Shorter ones are no secret, and to replace them would remove half of a text. */
    private static final int SHORTEST = 4;

    /** Shorter lines of a longer value, such as those that begin and end a key, occur elsewhere. */
    private static final int SHORTEST_LINE = 12;

    public SecretValues {
        values =
                values.stream()
                        .flatMap(value -> Stream.concat(Stream.of(value.strip()), lines(value)))
                        .filter(value -> value.length() >= SHORTEST)
                        .distinct()
                        .sorted(Comparator.comparing(String::length).reversed())
                        .toList();
    }

    /** Creates the values; one of several lines is hidden line by line, too. */
    public static SecretValues of(Collection<String> values) {
        return values.isEmpty() ? NONE : new SecretValues(List.copyOf(values));
    }

    /** A log has lines, so a value of several lines never occurs in it as a whole. */
    private static Stream<String> lines(String value) {
        return value.lines()
                .map(String::strip)
                .filter(line -> line.length() >= SHORTEST_LINE && !line.startsWith("-----"));
    }

    /** Returns the values of both. */
    public SecretValues and(SecretValues others) {
        return new SecretValues(Stream.concat(values.stream(), others.values.stream()).toList());
    }

    /** Returns the text with {@code ***} in place of each value. */
    public String hide(String text) {
        String shown = text;
        for (String value : values) {
            shown = shown.replace(value, MASK);
        }
        return shown;
    }

    @Override
    public String toString() {
        return "SecretValues[" + values.size() + "]";
    }
}
