package dev.orloj.cli.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Sends the body of a request in chunks, while it is read. */
final class ChunkedBody {

    private static final int CHUNK = 64 * 1024;

    private final OutputStream out;

    ChunkedBody(OutputStream out) {
        this.out = out;
    }

    /**
     * Returns when all is sent, or the server has stopped to read: it may have responded.
     *
     * @throws IOException when the content cannot be read
     */
    void send(InputStream content) throws IOException {
        byte[] buffer = new byte[CHUNK];
        for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
            if (read > 0 && !sendChunk(buffer, read)) {
                return;
            }
        }
        sendChunk(buffer, 0);
    }

    private boolean sendChunk(byte[] bytes, int length) {
        try {
            out.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(bytes, 0, length);
            out.write(new byte[] {'\r', '\n'});
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
