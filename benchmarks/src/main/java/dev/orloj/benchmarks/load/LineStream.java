package dev.orloj.benchmarks.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.util.function.Consumer;

/** The lines of an HTTP answer that does not end, over a bare socket. */
public final class LineStream implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;

    private LineStream(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /**
     * Returns when the head of the answer is there: from then on nothing is missed.
     *
     * @param request as {@link HttpConnection#request} makes it
     */
    public static LineStream open(URI server, byte[] request) throws IOException {
        Socket socket = new Socket(server.getHost(), server.getPort());
        socket.setTcpNoDelay(true);
        socket.getOutputStream().write(request);
        LineStream stream = new LineStream(socket);
        stream.readHead();
        return stream;
    }

    private void readHead() throws IOException {
        String status = readLine();
        if (!status.startsWith("HTTP/1.1 200")) {
            throw new IOException("No stream is answered but " + status);
        }
        boolean chunked = false;
        for (String line = readLine(); !line.isEmpty(); line = readLine()) {
            chunked |= line.equalsIgnoreCase("Transfer-Encoding: chunked");
        }
        if (!chunked) {
            throw new IOException("The answer is not sent in chunks");
        }
    }

    /** Until the server or {@link #close} ends the stream. */
    public void forEachLine(Consumer<byte[]> consumer) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try {
            for (int size = nextChunk(); size > 0; size = nextChunk()) {
                byte[] chunk = in.readNBytes(size);
                int from = 0;
                for (int i = 0; i < chunk.length; i++) {
                    if (chunk[i] == '\n') {
                        line.write(chunk, from, i - from);
                        consumer.accept(line.toByteArray());
                        line.reset();
                        from = i + 1;
                    }
                }
                line.write(chunk, from, chunk.length - from);
                readLine();
            }
        } catch (IOException e) {
            // The socket was closed: that is how the stream ends.
        }
    }

    private int nextChunk() throws IOException {
        return Integer.parseInt(readLine().strip(), 16);
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("The server ended the connection");
            }
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
