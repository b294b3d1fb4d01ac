package dev.orloj.server.recorded;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One connection with one request of HTTP/1.1, which leaves the answer as it is on the wire. */
final class Wire implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Socket socket;
    private final InputStream in;
    private final String status;
    private final List<String> headers = new ArrayList<>();
    private final boolean chunked;
    private final long begin = System.nanoTime();
    private long left;
    private boolean ended;

    private Wire(Socket socket, boolean bodiless) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.status = line().replaceFirst("HTTP/1.1 ", "").strip();
        for (String line = line(); !line.isEmpty(); line = line()) {
            headers.add(line);
        }
        this.chunked = header("transfer-encoding").equals("chunked");
        this.left = bodiless || chunked ? 0 : length();
    }

    /**
     * @param headers without Host and Content-Length, which are there already
     */
    static Wire send(int port, String method, String target, List<String> headers, byte[] body)
            throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) LIMIT.toMillis());
        StringBuilder head = new StringBuilder();
        head.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
        if (headers.stream().noneMatch(header -> isNamed(header, "host"))) {
            head.append("Host: 127.0.0.1:").append(port).append("\r\n");
        }
        headers.forEach(header -> head.append(header).append("\r\n"));
        if (body.length > 0) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        head.append("Connection: close\r\n\r\n");
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head.toString().getBytes(StandardCharsets.UTF_8));
        request.writeBytes(body);
        request.writeTo(socket.getOutputStream());
        socket.getOutputStream().flush();
        return new Wire(socket, method.equals("HEAD"));
    }

    /** Code and, where there is one, its phrase. */
    String status() {
        return status;
    }

    int code() {
        return Integer.parseInt(status.substring(0, 3));
    }

    List<String> headers() {
        return headers;
    }

    /** The value of the first header of that name, which is in lower case. */
    String header(String name) {
        return headers.stream()
                .filter(header -> isNamed(header, name))
                .map(header -> header.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    private static boolean isNamed(String header, String name) {
        return header.toLowerCase(Locale.ROOT).startsWith(name + ":");
    }

    private long length() {
        String length = header("content-length");
        if (!length.isEmpty()) {
            return Long.parseLong(length);
        }
        return code() == 204 || code() == 304 ? 0 : Long.MAX_VALUE;
    }

    /** All of the body, or what is left of it. */
    byte[] rest() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int next = read(); next >= 0; next = read()) {
            body.write(next);
            if (System.nanoTime() - begin > LIMIT.toNanos()) {
                throw new SocketTimeoutException("The answer does not end: " + body);
            }
        }
        return body.toByteArray();
    }

    /** The next block of the body that ends with this text. */
    String next(String end) throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        while (true) {
            int next = read();
            if (next < 0) {
                return block + "(end of the stream)\n";
            }
            block.write(next);
            if (next == '\n' && block.toString(StandardCharsets.UTF_8).endsWith(end)) {
                return block.toString(StandardCharsets.UTF_8);
            }
        }
    }

    private int read() throws IOException {
        if (chunked && left == 0 && !ended) {
            left = Long.parseLong(line(), 16);
            if (left == 0) {
                ended = true;
                line();
            }
        }
        if (left == 0) {
            return -1;
        }
        int next = in.read();
        left--;
        if (chunked && left == 0) {
            line();
        }
        return next;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("The connection ended after \"" + line + "\"");
            }
            if (next == '\n') {
                return line.toString(StandardCharsets.UTF_8).stripTrailing();
            }
            line.write(next);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
