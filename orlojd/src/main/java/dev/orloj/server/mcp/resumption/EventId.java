package dev.orloj.server.mcp.resumption;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identifies an event by its stream and its position in the stream.
 *
 * @param stream unique among all streams, including those of other replicas
 * @param number 0 for the beginning of the stream, before any message
 */
public record EventId(StreamKind kind, String stream, long number) {

    private static final Pattern TEXT = Pattern.compile("([pg])-([0-9a-z]{1,40})-([0-9]{1,15})");

    /** Parses an id; empty when the text is not an id in this format. */
    public static Optional<EventId> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(
                        new EventId(
                                matcher.group(1).equals("g") ? StreamKind.GET : StreamKind.POST,
                                matcher.group(2),
                                Long.parseLong(matcher.group(3))))
                : Optional.empty();
    }

    /** Returns the id in the format {@code p-1f3k9-7}. */
    @Override
    public String toString() {
        String letter =
                switch (kind) {
                    case GET -> "g";
                    case POST -> "p";
                };
        return letter + "-" + stream + "-" + number;
    }
}
