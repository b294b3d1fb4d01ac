package dev.orloj.cli.importing;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Recognizes entries that are Orloj itself, of which an Orloj must not be a client. */
public final class SelfEntries {

    private static final Set<String> PROGRAMS = Set.of("orlojctl", "orlojctl.exe", "orlojctl.cmd");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    private final URI server;

    /**
     * @param server the Orloj into which is imported
     */
    public SelfEntries(URI server) {
        this.server = server;
    }

    boolean contains(Launch launch) {
        return switch (launch) {
            case Launch.Program program -> isSelf(program);
            case Launch.Image _ -> false;
            case Launch.Endpoint endpoint -> isSelf(endpoint.url());
        };
    }

    /** Also when it is started by another program, such as a shell, or reached through one. */
    private boolean isSelf(Launch.Program program) {
        return isOrlojctl(program.command())
                || program.args().stream().anyMatch(arg -> isOrlojctl(arg) || isSelf(arg));
    }

    private static boolean isOrlojctl(String path) {
        String name = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
        return PROGRAMS.contains(name.toLowerCase(Locale.ROOT));
    }

    private boolean isSelf(String url) {
        if (!url.startsWith("http")) {
            return false;
        }
        try {
            URI uri = new URI(url);
            return uri.getHost() != null
                    && isSame(uri.getHost(), server.getHost())
                    && port(uri) == port(server)
                    && List.of("", "mcp").contains(firstSegment(uri, server));
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static boolean isSame(String a, String b) {
        return a.equalsIgnoreCase(b) || LOOPBACK.contains(a) && LOOPBACK.contains(b);
    }

    private static int port(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return "https".equalsIgnoreCase(uri.getScheme()) ? HTTPS : HTTP;
    }

    private static String firstSegment(URI uri, URI server) {
        String path = uri.getPath() == null ? "" : uri.getPath();
        String base = server.getPath() == null ? "" : server.getPath();
        String below = path.startsWith(base) ? path.substring(base.length()) : path;
        String[] segments = below.split("/");
        return segments.length > 1 ? segments[1] : "";
    }
}
