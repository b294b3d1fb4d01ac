package dev.orloj.server.documents;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Compares what a command prints with what a page shows.
 *
 * <p>What differs from one run to the next counts as equal: times, ages, ids, sizes of memory, and
 * the number of blanks between columns. "..." in a page stands for any text of a line, and a line
 * that is only "..." for any number of lines.
 */
final class Output {

    private record Replacement(Pattern pattern, String by) {

        Replacement(String pattern, String by) {
            this(Pattern.compile(pattern), by);
        }
    }

    private static final String ANY = "...";

    private static final List<Replacement> VOLATILE =
            List.of(
                    new Replacement("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "TIME"),
                    new Replacement("\\w{3}, \\d\\d \\w{3} \\d{4} [\\d:]+ GMT", "TIME"),
                    new Replacement("(Content-Length: )\\d+", "$1N"),
                    new Replacement("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UID"),
                    new Replacement("(box-1x9ab)\\.h[0-9a-z]{6,12}\\b", "CALL"),
                    new Replacement("(resourceVersion\"?: ?\"?)\\d+", "$1N"),
                    new Replacement("\\b\\d+ B (out|in)\\b", "N B $1"),
                    new Replacement("(session [\\w/-]+#)\\d+", "$1N"),
                    new Replacement("\\b(pid )\\d+", "$1N"),
                    new Replacement("\\b\\d+(\\.\\d+)?[KMG]i\\b", "SIZE"),
                    new Replacement("(?<![\\w.-])(\\d+(\\.\\d+)?(ms|s|m|h|d))+(?![\\w-])", "AGE"),
                    new Replacement("\\s+", " "));

    private Output() {}

    /** Whether a page may show {@code expected} for it. */
    static boolean matches(List<String> expected, List<String> actual) {
        List<String> seen =
                actual.stream().map(Output::plain).filter(line -> !line.isEmpty()).toList();
        return matches(expected.stream().map(Output::plain).toList(), 0, seen, 0);
    }

    private static boolean matches(List<String> expected, int from, List<String> seen, int at) {
        if (from == expected.size()) {
            return at == seen.size();
        }
        if (expected.get(from).equals(ANY)) {
            return matches(expected, from + 1, seen, at)
                    || (at < seen.size() && matches(expected, from, seen, at + 1));
        }
        return at < seen.size()
                && matches(expected.get(from), seen.get(at))
                && matches(expected, from + 1, seen, at + 1);
    }

    private static boolean matches(String expected, String seen) {
        List<String> parts = new ArrayList<>();
        for (String part : expected.split(Pattern.quote(ANY), -1)) {
            parts.add(Pattern.quote(part));
        }
        return Pattern.matches(String.join(".*", parts), seen);
    }

    /** A line without what is volatile in it. */
    private static String plain(String line) {
        String plain = line;
        for (Replacement replacement : VOLATILE) {
            plain = replacement.pattern().matcher(plain).replaceAll(replacement.by());
        }
        return plain.strip();
    }
}
