package dev.orloj.server.rest.http;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses large responses for clients that accept it. The container could do so, but could not
 * exclude watches, each of which would hold a compressor of its own while it lasts.
 */
final class Compression {

    /** Below this, the network does not dominate the time of a response. */
    private static final int WORTHWHILE_BYTES = 128 * 1024;

    private Compression() {}

    static boolean isWorthwhile(HttpServletRequest request, byte[] body) {
        return body.length >= WORTHWHILE_BYTES && isAccepted(request.getHeader("Accept-Encoding"));
    }

    private static boolean isAccepted(@Nullable String header) {
        return header != null
                && MediaTypes.accepted(header).stream()
                        .anyMatch(coding -> coding.name().equals("gzip"));
    }

    static byte[] gzip(byte[] body) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(body.length / 4);
        try (OutputStream out = new FastGzip(compressed)) {
            out.write(body);
        }
        return compressed.toByteArray();
    }

    /** A higher level would cost more time than it saves. */
    private static final class FastGzip extends GZIPOutputStream {

        FastGzip(OutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
