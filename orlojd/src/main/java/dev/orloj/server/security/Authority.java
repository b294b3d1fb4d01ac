package dev.orloj.server.security;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Host and port as a {@code Host} header carries them.
 *
 * @param host lower case; empty when there is no such header
 * @param port -1 when none is given
 */
record Authority(String host, int port) {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    /** With a letter in it, as a number alone is an address to some resolvers. */
    private static final Pattern SINGLE_LABEL =
            Pattern.compile("(?=.*[a-zA-Z])(?!0[xX])[a-zA-Z0-9]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9])?");

    private static final Pattern ADDRESS =
            Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-f:.]+]");

    private static final Pattern PORT = Pattern.compile("\\d{1,5}");

    /** A port that cannot be read stays part of the host, which is then no name at all. */
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

    /** Whether only this machine can be meant. */
    boolean isLoopback() {
        return LOOPBACK.contains(host)
                || host.matches("127(\\.\\d{1,3}){3}")
                || host.endsWith(".localhost");
    }

    /**
     * Whether it is a name of one label, such as {@code orloj}: it comes from a hosts file or from
     * the network's own search list, and no public site has such a name.
     */
    boolean isSingleLabel() {
        return SINGLE_LABEL.matcher(host).matches();
    }

    /** Whether no public site can have this name, so that DNS rebinding cannot use it. */
    boolean isUnclaimable() {
        return isLoopback() || isSingleLabel() || ADDRESS.matcher(host).matches();
    }
}
