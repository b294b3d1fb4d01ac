package dev.orloj.cli.http;

import dev.orloj.cli.tls.TlsSockets;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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
 * A connection for requests, one after the other. {@link java.net.HttpURLConnection} has no PATCH
 * and takes 6 ms of processor time to load, the newer client of the JDK takes ten times that.
 */
final class Http1Connection implements AutoCloseable {

    private static final int MAX_LINE = 64 * 1024;
    private static final int MAX_HEADERS = 500;
    private static final int MAX_BODY = 64 * 1024 * 1024;

    private final Socket socket;
    private final InputStream in;

    private Http1Connection(Socket socket) throws IOException {
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
    Reply patch(URI url, Map<String, String> headers, byte[] body, Duration readTimeout)
            throws IOException {
        Head head = request("PATCH", url, headers, body, readTimeout);
        return new Reply(head.status(), head.headers(), readBody(head.headers()));
    }

    /** The beginning of a response; its {@link #body} may still be arriving. */
    record Head(int status, Map<String, List<String>> headers) {}

    /**
     * Sends a request and reads the beginning of the response.
     *
     * @param headers all headers of the request except those that delimit its body
     * @param body null for none
     * @param readTimeout limit of the time to the next byte of the response; zero for none
     * @throws NoAnswerException when the server closed the connection instead
     */
    Head request(
            String method,
            URI url,
            Map<String, String> headers,
            byte @Nullable [] body,
            Duration readTimeout)
            throws IOException {
        socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, readTimeout.toMillis()));
        send(method, url, headers, body);
        return readHead();
    }

    /**
     * Sends a POST whose body has any length, and reads the beginning of the response.
     *
     * @param readTimeout limit of the time to the response, once the body is sent; zero for none
     */
    Head upload(URI url, Map<String, String> headers, Request.Upload upload, Duration readTimeout)
            throws IOException {
        socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, readTimeout.toMillis()));
        Map<String, String> all = new TreeMap<>(headers);
        all.put("Content-Type", upload.type());
        all.put("Transfer-Encoding", "chunked");
        OutputStream out = socket.getOutputStream();
        out.write(head("POST", url, all));
        new ChunkedBody(out).send(upload.content());
        return readHead();
    }

    private Head readHead() throws IOException {
        requireAnswer();
        while (true) {
            int status = status(readLine());
            Map<String, List<String>> answered = readHeaders();
            if (status >= 200) {
                return new Head(status, answered);
            }
        }
    }

    /** Returns the body of the response, which is read while it arrives, and has no limit. */
    InputStream body(Head head) throws IOException {
        if (head.status() == 204 || head.status() == 304) {
            return InputStream.nullInputStream();
        }
        if (isChunked(head.headers())) {
            return new Body(0, true);
        }
        String length = head.headers().getOrDefault("content-length", List.of("")).getFirst();
        return length.isEmpty() ? in : new Body(longNumber(length, 10), false);
    }

    /** A body that ends where its length or its last chunk says. */
    private final class Body extends InputStream {

        private final boolean isChunked;
        private long left;
        private boolean isFirst = true;
        private boolean isOver;

        Body(long left, boolean isChunked) {
            this.left = left;
            this.isChunked = isChunked;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int start, int length) throws IOException {
            if (length == 0) {
                return 0; // without waiting for the next chunk
            }
            if (left == 0 && isChunked && !isOver) {
                nextChunk();
            }
            if (left == 0) {
                return -1;
            }
            int read = in.read(bytes, start, (int) Math.min(left, length));
            if (read < 0) {
                throw new EOFException("the answer ended early");
            }
            left -= read;
            return read;
        }

        private void nextChunk() throws IOException {
            if (!isFirst) {
                requireEndOfChunk();
            }
            isFirst = false;
            left = longNumber(readLine().split(";", 2)[0].strip(), 16);
            if (left == 0) {
                isOver = true;
                readHeaders(); // trailers
            }
        }
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

    static Http1Connection open(
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
            return new Http1Connection(isTls ? tls.get().secure(socket, host, port) : socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void send(String method, URI url, Map<String, String> headers, byte @Nullable [] body) {
        Map<String, String> all = new TreeMap<>(headers);
        if (body != null || !method.equals("GET")) {
            all.put("Content-Length", "" + (body == null ? 0 : body.length));
        }
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head(method, url, all));
        if (body != null) {
            request.writeBytes(body);
        }
        try {
            request.writeTo(socket.getOutputStream());
        } catch (IOException e) {
            // A server that rejects a request may respond before it has read all of it.
        }
    }

    private static byte[] head(String method, URI url, Map<String, String> headers) {
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        StringBuilder head = new StringBuilder();
        head.append(method).append(' ').append(url.getRawPath());
        head.append(query).append(" HTTP/1.1\r\n");
        Map<String, String> all = new TreeMap<>(headers);
        all.put("Host", url.getRawAuthority());
        for (Map.Entry<String, String> header : all.entrySet()) {
            append(head, header.getKey(), header.getValue());
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void append(StringBuilder head, String name, String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                throw new IllegalArgumentException(
                        "the value of the header \"" + name + "\" has a control character in it");
            }
        }
        head.append(name).append(": ").append(value).append("\r\n");
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

    private static boolean isChunked(Map<String, List<String>> headers) {
        String coding = headers.getOrDefault("transfer-encoding", List.of("")).getLast();
        return coding.equalsIgnoreCase("chunked");
    }

    private byte[] readBody(Map<String, List<String>> headers) throws IOException {
        if (isChunked(headers)) {
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
            requireEndOfChunk();
        }
    }

    private void requireEndOfChunk() throws IOException {
        if (!readLine().isEmpty()) {
            throw new IOException("the answer has a chunk that does not end");
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
        return (int) Math.min(MAX_BODY + 1L, longNumber(text, radix));
    }

    /** Returns a length; one that is too large for any body is the largest. */
    private static long longNumber(String text, int radix) throws IOException {
        try {
            long number = Long.parseUnsignedLong(text, radix);
            return number < 0 ? Long.MAX_VALUE : number;
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
