package dev.orloj.runtime.network;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * The request of a client to the proxy.
 *
 * @param head the head that is sent to the host instead of the client's; empty for a tunnel
 */
record ProxyRequest(String host, int port, String head) {

    private static final int MAX_HEAD_BYTES = 16 * 1024;
    private static final int LARGEST_PORT = 65_535;
    private static final List<String> OF_ONE_CONNECTION =
            List.of(
                    "host:",
                    "connection:",
                    "proxy-connection:",
                    "proxy-authorization:",
                    "keep-alive:",
                    "te:",
                    "upgrade:");

    /** The client did not send a valid proxy request. */
    static final class MalformedRequestException extends IOException {

        private static final long serialVersionUID = 1L;

        MalformedRequestException(String message) {
            super(message);
        }
    }

    boolean isTunnel() {
        return head.isEmpty();
    }

    /** Reads up to the empty line, and no byte further. */
    static ProxyRequest read(InputStream in) throws IOException {
        List<String> lines = readHead(in).lines().toList();
        String[] words = lines.isEmpty() ? new String[0] : lines.getFirst().split(" ", -1);
        if (words.length != 3 || !words[2].startsWith("HTTP/1.")) {
            throw new MalformedRequestException("no request of HTTP/1");
        }
        return words[0].equals("CONNECT")
                ? tunnel(words[1])
                : plain(words[0], words[1], lines.subList(1, lines.size()));
    }

    private static String readHead(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int newlines = 0;
        while (newlines < 2) {
            int read = in.read();
            if (read < 0) {
                throw new EOFException("the client has hung up");
            }
            head.write(read);
            if (head.size() > MAX_HEAD_BYTES) {
                throw new MalformedRequestException("the head is too long");
            }
            if (read == '\n') {
                newlines++;
            } else if (read != '\r') {
                newlines = 0;
            }
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private static ProxyRequest tunnel(String authority) throws MalformedRequestException {
        URI uri = uri("tunnel://" + authority);
        return new ProxyRequest(host(uri), port(uri, -1), "");
    }

    private static ProxyRequest plain(String method, String target, List<String> fields)
            throws MalformedRequestException {
        URI uri = uri(target);
        if (!"http".equalsIgnoreCase(uri.getScheme())) {
            throw new MalformedRequestException("no absolute http URL");
        }
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        StringBuilder head = new StringBuilder();
        head.append("%s %s%s HTTP/1.1\r\n".formatted(method, path, query));
        head.append("Host: %s\r\n".formatted(uri.getRawAuthority()));
        for (String field : fields) {
            String lower = field.toLowerCase(Locale.ROOT);
            if (!field.isEmpty() && OF_ONE_CONNECTION.stream().noneMatch(lower::startsWith)) {
                head.append(field).append("\r\n");
            }
        }
        // One request per connection, because the next one could be for another host.
        head.append("Connection: close\r\n\r\n");
        return new ProxyRequest(host(uri), port(uri, 80), head.toString());
    }

    private static URI uri(String text) throws MalformedRequestException {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new MalformedRequestException("no URL");
        }
    }

    private static String host(URI uri) throws MalformedRequestException {
        @Nullable String host = uri.getHost();
        if (host == null || uri.getUserInfo() != null) {
            throw new MalformedRequestException("no host");
        }
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static int port(URI uri, int otherwise) throws MalformedRequestException {
        int port = uri.getPort() < 0 ? otherwise : uri.getPort();
        if (port < 1 || port > LARGEST_PORT) {
            throw new MalformedRequestException("no port");
        }
        return port;
    }
}
