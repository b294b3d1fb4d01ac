package dev.orloj.cli.http;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Sends and receives messages over Streamable HTTP with one MCP endpoint of orlojd. Treats an error
 * of the endpoint as a response like any other. Safe for many threads.
 */
public final class McpChannel {

    private static final String BOTH = "application/json, text/event-stream";

    private final ApiConnection connection;
    private final String path;

    /**
     * @param path of the endpoint, such as {@code /mcp/default}
     */
    public McpChannel(ApiConnection connection, String path) {
        this.connection = connection;
        this.path = path;
    }

    /**
     * A response; closing it closes the connection.
     *
     * @param sessionId the id that the endpoint issued with it
     * @param body also present in an error response
     */
    public record Reply(int status, boolean isStream, Optional<String> sessionId, InputStream body)
            implements AutoCloseable {

        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    /**
     * @throws IOException when there is no response
     */
    public Reply post(byte[] message, Map<String, String> headers) throws IOException {
        return send("POST", message, headers);
    }

    /** Opens the stream of unsolicited notifications. */
    public Reply listen(Map<String, String> headers) throws IOException {
        return send("GET", null, headers);
    }

    public Reply end(Map<String, String> headers) throws IOException {
        return send("DELETE", null, headers);
    }

    private Reply send(String method, byte @Nullable [] body, Map<String, String> headers)
            throws IOException {
        HttpURLConnection http =
                connection.open(Request.get(path).accepting(BOTH).waiting(Duration.ZERO));
        http.setRequestMethod(method);
        headers.forEach(http::setRequestProperty);
        if (body != null) {
            http.setDoOutput(true);
            http.setRequestProperty("Content-Type", Request.JSON);
            try (OutputStream out = http.getOutputStream()) {
                out.write(body);
            }
        }
        int status = http.getResponseCode();
        InputStream answer = status < 400 ? http.getInputStream() : http.getErrorStream();
        String type = http.getContentType();
        return new Reply(
                status,
                type != null && type.startsWith("text/event-stream"),
                Optional.ofNullable(http.getHeaderField("Mcp-Session-Id")),
                answer == null ? new ByteArrayInputStream(new byte[0]) : answer);
    }
}
