package dev.orloj.server.security;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Host and port of a {@code Host} header.
 *
 * @param host lower case; empty when there is no such header
 * @param port -1 when none is given
 */
record Authority(String host, int port) {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    /** Requires a letter, because some resolvers treat a number alone as an address. */
    private static final Pattern SINGLE_LABEL =
            Pattern.compile("(?=.*[a-zA-Z])(?!0[xX])[a-zA-Z0-9]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9])?");

    private static final Pattern ADDRESS =
            Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-f:.]+]");

    private static final Pattern PORT = Pattern.compile("\\d{1,5}");

    /**
     * Parses the header. An invalid port stays part of the host, which then is not a valid name.
     */
    static Authority parse(@Nullable String header) {
        String text = header == null ? "" : header.strip().toLowerCase(Locale.ROOT);
        int colon = text.lastIndexOf(':');
        boolean hasPort =
                colon > 0
                        && text.indexOf(']', colon) < 0
                        && (text.startsWith("[") || text.indexOf(':') == colon);
        if (!hasPort) {
            return new Authority(text, -1);
        }
        String port = text.substring(colon + 1);
        return PORT.matcher(port).matches()
                ? new Authority(text.substring(0, colon), Integer.parseInt(port))
                : new Authority(port.isEmpty() ? text.substring(0, colon) : text, -1);
    }

    boolean isEmpty() {
        return host.isEmpty();
    }

    /** Returns whether the host can only be this machine. */
    boolean isLoopback() {
        return LOOPBACK.contains(host)
                || host.matches("127(\\.\\d{1,3}){3}")
                || host.endsWith(".localhost");
    }

    /**
     * Returns whether the host is a single label, such as {@code orloj}. Such a name comes from a
     * hosts file or from the search list of the local network; no public site has one.
     */
    boolean isSingleLabel() {
        return SINGLE_LABEL.matcher(host).matches();
    }

    /** Returns whether no public site can have this name, so that DNS rebinding cannot use it. */
    boolean isUnclaimable() {
        return isLoopback() || isSingleLabel() || ADDRESS.matcher(host).matches();
    }
}
