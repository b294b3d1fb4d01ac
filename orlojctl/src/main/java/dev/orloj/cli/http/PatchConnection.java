package dev.orloj.cli.http;

import dev.orloj.cli.tls.TlsSockets;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A connection for PATCH requests, one after the other. {@link java.net.HttpURLConnection} does not
 * support the method, and the newer client of the JDK takes longer to load than a command may take.
 */
final class PatchConnection implements AutoCloseable {

    private static final int MAX_LINE = 64 * 1024;
    private static final int MAX_HEADERS = 500;
    private static final int MAX_BODY = 64 * 1024 * 1024;

    private final Socket socket;
    private final InputStream in;

    private PatchConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** The server closed the connection before it sent anything. */
    static final class NoAnswerException extends EOFException {

        private static final long serialVersionUID = 1L;

        NoAnswerException() {
            super("the server closed the connection before it answered");
        }
    }

    /**
     * Sends a request and reads the response.
     *
     * @param headers all headers of the request except those that delimit its body
     * @throws NoAnswerException when the server closed the connection instead
     */
    Reply exchange(URI url, Map<String, String> headers, byte[] body, Duration readTimeout)
            throws IOException {
        socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, readTimeout.toMillis()));
        send(url, headers, body);
        requireAnswer();
        return read();
    }

    /** Returns whether the connection can be used again after this response. */
    boolean isReusable(Reply reply) throws IOException {
        boolean isDelimited =
                reply.header("content-length").isPresent()
                        || reply.header("transfer-encoding").isPresent();
        return isDelimited
                && in.available() == 0
                && !reply.header("connection").orElse("").equalsIgnoreCase("close");
    }

    private void requireAnswer() throws IOException {
        try {
            in.mark(1);
            if (in.read() < 0) {
                throw new NoAnswerException();
            }
            in.reset();
        } catch (SocketException e) {
            NoAnswerException closed = new NoAnswerException();
            closed.initCause(e);
            throw closed;
        }
    }

    static PatchConnection open(
            ServerLocation server, Supplier<TlsSockets> tls, URI url, Duration connectTimeout)
            throws IOException {
        Proxy proxy =
                server.isLoopback()
                        ? Proxy.NO_PROXY
                        : ProxySelector.getDefault().select(url).getFirst();
        String host = url.getHost().replaceAll("^\\[|]$", "");
        boolean isTls = url.getScheme().equalsIgnoreCase("https");
        int port = url.getPort() >= 0 ? url.getPort() : isTls ? 443 : 80;
        Socket socket = new Socket(proxy);
        try {
            InetSocketAddress address =
                    proxy.type() == Proxy.Type.DIRECT
                            ? new InetSocketAddress(host, port)
                            : InetSocketAddress.createUnresolved(host, port);
            socket.connect(address, (int) connectTimeout.toMillis());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) connectTimeout.toMillis()); // also of the handshake
            return new PatchConnection(isTls ? tls.get().secure(socket, host, port) : socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void send(URI url, Map<String, String> headers, byte[] body) throws IOException {
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        StringBuilder head = new StringBuilder();
        head.append("PATCH ").append(url.getRawPath()).append(query).append(" HTTP/1.1\r\n");
        Map<String, String> all = new TreeMap<>(headers);
        all.put("Host", url.getRawAuthority());
        all.put("Content-Length", "" + body.length);
        all.forEach((name, value) -> head.append(line(name, value)));
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        request.writeBytes(body);
        try {
            request.writeTo(socket.getOutputStream());
        } catch (IOException e) {
            // A server that rejects a request may respond before it has read all of it.
        }
    }

    private static String line(String name, String value) {
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "the value of the header \"" + name + "\" has a control character in it");
        }
        return name + ": " + value + "\r\n";
    }

    private Reply read() throws IOException {
        while (true) {
            int status = status(readLine());
            Map<String, List<String>> headers = readHeaders();
            if (status >= 200) {
                return new Reply(status, headers, readBody(headers));
            }
        }
    }

    private static int status(String line) throws IOException {
        String[] words = line.split(" ", 3);
        if (words.length < 2 || !words[0].startsWith("HTTP/1.") || !words[1].matches("\\d{3}")) {
            throw new IOException("the answer is not HTTP/1.1");
        }
        return Integer.parseInt(words[1]);
    }

    private Map<String, List<String>> readHeaders() throws IOException {
        Map<String, List<String>> headers = new TreeMap<>();
        String line = readLine();
        for (int count = 1; !line.isEmpty(); count++) {
            int colon = line.indexOf(':');
            if (colon < 1 || count > MAX_HEADERS) {
                throw new IOException("the answer has no headers that can be read");
            }
            headers.computeIfAbsent(
                            line.substring(0, colon).toLowerCase(Locale.ROOT),
                            _ -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
            line = readLine();
        }
        return headers;
    }

    private byte[] readBody(Map<String, List<String>> headers) throws IOException {
        String coding = headers.getOrDefault("transfer-encoding", List.of("")).getLast();
        if (coding.equalsIgnoreCase("chunked")) {
            return readChunks();
        }
        String length = headers.getOrDefault("content-length", List.of("")).getFirst();
        if (length.isEmpty()) {
            byte[] body = in.readNBytes(MAX_BODY + 1);
            requireRoom(body.length);
            return body;
        }
        return readExactly(number(length, 10));
    }

    private byte[] readChunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            int size = number(readLine().split(";", 2)[0].strip(), 16);
            requireRoom(body.size() + size);
            if (size == 0) {
                readHeaders(); // trailers
                return body.toByteArray();
            }
            body.writeBytes(readExactly(size));
            if (!readLine().isEmpty()) {
                throw new IOException("the answer has a chunk that does not end");
            }
        }
    }

    private byte[] readExactly(int length) throws IOException {
        requireRoom(length);
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the answer ended early");
        }
        return bytes;
    }

    private static int number(String text, int radix) throws IOException {
        try {
            long number = Long.parseUnsignedLong(text, radix);
            return Long.compareUnsigned(number, MAX_BODY) > 0 ? MAX_BODY + 1 : (int) number;
        } catch (NumberFormatException e) {
            throw new IOException("\"" + text + "\" is not the length of an answer", e);
        }
    }

    private static void requireRoom(long length) throws IOException {
        if (length > MAX_BODY) {
            throw new IOException("the answer is longer than " + MAX_BODY + " bytes");
        }
    }

    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection before it answered");
            }
            if (line.size() == MAX_LINE) {
                throw new IOException("the answer has a line longer than " + MAX_LINE + " bytes");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
