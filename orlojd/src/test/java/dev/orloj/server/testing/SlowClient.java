package dev.orloj.server.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A client that makes a request and reads nothing of the answer until a test lets it. */
public final class SlowClient implements AutoCloseable {

    /** A few hundred of such texts are more than what waits between the two sides. */
    public static final String LONG_TEXT = "x".repeat(16 * 1024);

    /** So that little is on the way. */
    private static final int BUFFER_BYTES = 4 * 1024;

    private final Socket socket = new Socket();

    /** Headers are names and values in turn. */
    public SlowClient(URI target, String body, String... headers) throws IOException {
        socket.setReceiveBufferSize(BUFFER_BYTES);
        socket.connect(new InetSocketAddress(target.getHost(), target.getPort()));
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        // In this version the answer comes in one piece, up to the end of the connection.
        StringBuilder head = new StringBuilder("POST %s HTTP/1.0\r\n".formatted(target.getPath()));
        head.append("Host: %s\r\n".formatted(target.getAuthority()));
        head.append("Content-Type: application/json\r\n");
        head.append("Content-Length: %d\r\n".formatted(content.length));
        for (int i = 0; i < headers.length; i += 2) {
            head.append("%s: %s\r\n".formatted(headers[i], headers[i + 1]));
        }
        head.append("\r\n");
        socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().write(content);
        socket.getOutputStream().flush();
    }

    /** The lines of the whole answer, which begin like this, without that. */
    public List<String> lines(String beginning) throws IOException {
        BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        return reader.lines()
                .filter(line -> line.startsWith(beginning))
                .map(line -> line.substring(beginning.length()))
                .toList();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
