package dev.orloj.server.mcp.uri;

import java.util.Optional;

/**
 * The URI of a server's resource in an endpoint of several servers, which contains the name of the
 * server. A server name is a DNS label without {@code +} and {@code /}, so its end is unambiguous.
 *
 * <p>{@code file:///a} of {@code github} is {@code orloj+github+file:///a}. The scheme of a view of
 * MCP Apps stays, because hosts accept no other: {@code ui://clock/view.html} is {@code
 * ui://github/clock/view.html}.
 *
 * @param server name of the server
 * @param uri as the server spells it
 */
public record NamespaceUri(String server, String uri) {

    private static final String SCHEME = "orloj+";
    private static final char END_OF_SERVER = '+';
    private static final String UI = "ui://";

    /** The URI that clients use. */
    public String text() {
        return uri.startsWith(UI)
                ? UI + server + '/' + uri.substring(UI.length())
                : SCHEME + server + END_OF_SERVER + uri;
    }

    /** Parses what {@link #text} returns; empty for any other form. */
    public static Optional<NamespaceUri> parse(String text) {
        if (text.startsWith(UI)) {
            return split(text, UI.length(), '/', UI);
        }
        return text.startsWith(SCHEME)
                ? split(text, SCHEME.length(), END_OF_SERVER, "")
                : Optional.empty();
    }

    private static Optional<NamespaceUri> split(String text, int begin, char end, String scheme) {
        int at = text.indexOf(end, begin);
        return at < 0
                ? Optional.empty()
                : Optional.of(
                        new NamespaceUri(
                                text.substring(begin, at), scheme + text.substring(at + 1)));
    }
}
