package dev.orloj.cli.http;

import dev.orloj.cli.tls.TlsSockets;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * Keeps the connections of PATCH requests open, so that an apply of many documents opens as many as
 * it has requests in flight. Safe for many threads.
 */
final class PatchConnections {

    private static final String JSON_PATCH = "application/json-patch+json";

    private final ServerLocation server;
    private final Supplier<TlsSockets> tls;
    private final Duration connectTimeout;
    private final Queue<Http1Connection> idle = new ConcurrentLinkedQueue<>();

    PatchConnections(ServerLocation server, Supplier<TlsSockets> tls, Duration connectTimeout) {
        this.server = server;
        this.tls = tls;
        this.connectTimeout = connectTimeout;
    }

    /**
     * Sends a request and reads the response. Sends it again on a new connection if the server has
     * closed an idle one, because a merge or an apply does no harm twice. A JSON patch can add an
     * element to a list, so it always gets a new connection and is sent once.
     *
     * @param headers all headers of the request except those that delimit its body
     */
    Reply exchange(URI url, Map<String, String> headers, byte[] body, Duration readTimeout)
            throws IOException {
        boolean isRepeatable = !JSON_PATCH.equals(headers.get("Content-Type"));
        Http1Connection kept = isRepeatable ? idle.poll() : null;
        if (kept != null) {
            try {
                return exchange(kept, url, headers, body, readTimeout);
            } catch (Http1Connection.NoAnswerException e) {
                // It was closed while it was idle.
            }
        }
        return exchange(
                Http1Connection.open(server, tls, url, connectTimeout),
                url,
                headers,
                body,
                readTimeout);
    }

    private Reply exchange(
            Http1Connection connection,
            URI url,
            Map<String, String> headers,
            byte[] body,
            Duration readTimeout)
            throws IOException {
        boolean isKept = false;
        try {
            Reply reply = connection.patch(url, headers, body, readTimeout);
            isKept = connection.isReusable(reply);
            return reply;
        } finally {
            if (isKept) {
                idle.add(connection);
            } else {
                connection.close();
            }
        }
    }
}
