package dev.orloj.benchmarks.load;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * One HTTP/1.1 connection that is kept alive, over a bare socket: a client that costs less than
 * what it measures. Knows just enough of HTTP for the answers of a JSON API. For one thread; only
 * {@link #close} may come from another.
 */
public final class HttpConnection implements AutoCloseable {

    private static final int INITIAL_BUFFER = 16 * 1024;

    private final InetSocketAddress address;
    private final String host;
    private byte[] buffer = new byte[INITIAL_BUFFER];
    private int filled;
    private volatile @Nullable SocketChannel channel;
    private volatile boolean closed;

    /** Connects at the first exchange, and again after the server has ended the connection. */
    public HttpConnection(URI server) {
        this.address = new InetSocketAddress(server.getHost(), server.getPort());
        this.host = server.getHost() + ":" + server.getPort();
    }

    /**
     * An answer. The body is a copy.
     *
     * @param head the status line and the headers
     */
    public record Answer(int status, String head, byte[] body) {

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        /** The value of a header; empty when the answer has none of that name. */
        public Optional<String> header(String name) {
            return head.lines()
                    .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst();
        }
    }

    /** The bytes of a request, to be sent as often as wanted. */
    public byte[] request(String method, String path, String contentType, byte[] body) {
        return request(
                method,
                path,
                Map.of("Accept", "application/json", "Content-Type", contentType),
                body);
    }

    /** The bytes of a request with these headers, and those that every request has. */
    public byte[] request(String method, String path, Map<String, String> headers, byte[] body) {
        StringBuilder head = new StringBuilder();
        head.append(method).append(' ').append(path).append(" HTTP/1.1\r\nHost: ").append(host);
        headers.forEach((name, value) -> head.append("\r\n%s: %s".formatted(name, value)));
        head.append("\r\nContent-Length: ").append(body.length).append("\r\n\r\n");
        byte[] headBytes = head.toString().getBytes(StandardCharsets.US_ASCII);
        byte[] request = new byte[headBytes.length + body.length];
        System.arraycopy(headBytes, 0, request, 0, headBytes.length);
        System.arraycopy(body, 0, request, headBytes.length, body.length);
        return request;
    }

    /** Sends a request and returns its answer. After an exception the connection is made anew. */
    public Answer exchange(byte[] request) throws IOException {
        SocketChannel socket = connected();
        boolean reusable = false;
        try {
            send(socket, request);
            int bodyStart = fillHead(socket);
            String lines = new String(buffer, 0, bodyStart, StandardCharsets.US_ASCII);
            Head head = Head.parse(lines);
            byte[] body =
                    head.chunked
                            ? chunkedBody(socket, bodyStart)
                            : sizedBody(socket, bodyStart, head.contentLength);
            reusable = head.keepAlive;
            return new Answer(head.status, lines, body);
        } finally {
            if (!reusable) {
                disconnect();
            }
        }
    }

    private SocketChannel connected() throws IOException {
        SocketChannel current = channel;
        if (current != null) {
            return current;
        }
        if (closed) {
            throw new IOException("The connection was closed");
        }
        SocketChannel opened = SocketChannel.open(address);
        opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel = opened;
        filled = 0;
        return opened;
    }

    private static void send(SocketChannel socket, byte[] request) throws IOException {
        ByteBuffer remaining = ByteBuffer.wrap(request);
        while (remaining.hasRemaining()) {
            socket.write(remaining);
        }
    }

    /** Reads until the blank line is there; returns where the body starts. */
    private int fillHead(SocketChannel socket) throws IOException {
        int from = 0;
        while (true) {
            for (int i = from; i + 3 < filled; i++) {
                if (buffer[i] == '\r'
                        && buffer[i + 1] == '\n'
                        && buffer[i + 2] == '\r'
                        && buffer[i + 3] == '\n') {
                    return i + 4;
                }
            }
            from = Math.max(0, filled - 3);
            fill(socket);
        }
    }

    private byte[] sizedBody(SocketChannel socket, int start, int length) throws IOException {
        while (filled < start + length) {
            fill(socket);
        }
        byte[] body = new byte[length];
        System.arraycopy(buffer, start, body, 0, length);
        consume(start + length);
        return body;
    }

    private byte[] chunkedBody(SocketChannel socket, int start) throws IOException {
        byte[] body = new byte[0];
        int at = start;
        while (true) {
            int lineEnd = fillLine(socket, at);
            String size = new String(buffer, at, lineEnd - at, StandardCharsets.US_ASCII);
            int length = Integer.parseInt(size.strip(), 16);
            int data = lineEnd + 2;
            while (filled < data + length + 2) {
                fill(socket);
            }
            if (length == 0) {
                consume(data + 2);
                return body;
            }
            int before = body.length;
            body = Arrays.copyOf(body, before + length);
            System.arraycopy(buffer, data, body, before, length);
            at = data + length + 2;
        }
    }

    private int fillLine(SocketChannel socket, int start) throws IOException {
        for (int i = start; ; i++) {
            while (i + 1 >= filled) {
                fill(socket);
            }
            if (buffer[i] == '\r' && buffer[i + 1] == '\n') {
                return i;
            }
        }
    }

    private void fill(SocketChannel socket) throws IOException {
        if (filled == buffer.length) {
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        int read = socket.read(ByteBuffer.wrap(buffer, filled, buffer.length - filled));
        if (read < 0) {
            throw new EOFException("The server ended the connection inside an answer");
        }
        filled += read;
    }

    private void consume(int length) {
        System.arraycopy(buffer, length, buffer, 0, filled - length);
        filled -= length;
    }

    private void disconnect() throws IOException {
        SocketChannel current = channel;
        channel = null;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            disconnect();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What of the head of an answer decides how its body is read. */
    private record Head(int status, int contentLength, boolean chunked, boolean keepAlive) {

        static Head parse(String text) throws IOException {
            int length = 0;
            boolean chunked = false;
            boolean keepAlive = true;
            int at = text.indexOf("\r\n") + 2;
            int status = status(text.substring(0, at - 2));
            for (int end = text.indexOf("\r\n", at); end > at; end = text.indexOf("\r\n", at)) {
                if (startsWith(text, at, "Content-Length:")) {
                    length =
                            Integer.parseInt(
                                    text.substring(text.indexOf(':', at) + 1, end).strip());
                } else if (startsWith(text, at, "Transfer-Encoding: chunked")) {
                    chunked = true;
                } else if (startsWith(text, at, "Connection: close")) {
                    keepAlive = false;
                }
                at = end + 2;
            }
            return new Head(status, length, chunked, keepAlive);
        }

        private static boolean startsWith(String text, int at, String header) {
            return text.regionMatches(true, at, header, 0, header.length());
        }

        private static int status(String line) throws IOException {
            if (!line.startsWith("HTTP/1.1 ") || line.length() < 12) {
                throw new IOException("Not an answer of HTTP/1.1: \"" + line + "\"");
            }
            return Integer.parseInt(line.substring(9, 12));
        }
    }
}
