package dev.orloj.server.security;

import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;
import dev.orloj.api.codec.Json;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Keeps web pages away from a server that trusts whoever reaches its loopback port. A page may make
 * a browser send requests there, under its own Origin or, by DNS rebinding, under its own Host;
 * both are refused. Command lines send no Origin and a loopback Host.
 *
 * <p>A Host of a single label, such as {@code orloj}, is let in, too: it comes from a hosts file or
 * from the network's own search list. No public site has such a name, so no page is served under
 * one that rebinding could use.
 */
public final class LoopbackGuard extends HttpFilter {

    private static final long serialVersionUID = 1L;
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    /** With a letter in it, as a number alone is an address to some resolvers. */
    private static final Pattern SINGLE_LABEL =
            Pattern.compile("(?=.*[a-zA-Z])(?!0[xX])[a-zA-Z0-9]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9])?");

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String host = hostOf(request.getHeader("Host"));
        String origin = request.getHeader("Origin");
        if (!host.isEmpty() && !isLoopback(host) && !isSingleLabel(host)) {
            refuse(response, "the Host \"%s\" is not a loopback name".formatted(host));
        } else if (origin != null && !isLoopbackOrigin(origin)) {
            refuse(response, "requests from the web page \"%s\" are refused".formatted(origin));
        } else {
            chain.doFilter(request, response);
        }
    }

    /** Whether a page with this Origin was served by this machine. */
    public static boolean isLoopbackOrigin(String origin) {
        try {
            String host = URI.create(origin).getHost();
            return host != null && isLoopback(host);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isLoopback(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return LOOPBACK.contains(name)
                || name.matches("127(\\.\\d{1,3}){3}")
                || name.endsWith(".localhost");
    }

    private static boolean isSingleLabel(String host) {
        return SINGLE_LABEL.matcher(host).matches();
    }

    private static String hostOf(@Nullable String header) {
        if (header == null) {
            return "";
        }
        int port = header.lastIndexOf(':');
        boolean hasPort = port > 0 && header.indexOf(']', port) < 0;
        return hasPort && (header.startsWith("[") || header.indexOf(':') == port)
                ? header.substring(0, port)
                : header;
    }

    private static void refuse(HttpServletResponse response, String why) throws IOException {
        Status status =
                Status.failure(
                        ErrorReason.FORBIDDEN,
                        why + "; orlojd without authentication serves this machine only",
                        null);
        response.setStatus(status.code());
        response.setContentType("application/json");
        response.getOutputStream().write(Json.MAPPER.writeValueAsBytes(status));
    }
}
