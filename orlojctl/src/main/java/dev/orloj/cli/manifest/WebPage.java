package dev.orloj.cli.manifest;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;

/** Fetches a manifest by its URL. */
final class WebPage {

    private static final int MAX_BYTES = 64 * 1024 * 1024;
    private static final int TIMEOUT_MILLIS = 30_000;

    private WebPage() {}

    static boolean isUrl(String name) {
        return name.startsWith("http://") || name.startsWith("https://");
    }

    static byte[] read(String url) throws IOException {
        HttpURLConnection connection;
        try {
            connection = (HttpURLConnection) new URI(url).toURL().openConnection();
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new IOException("it is no URL", e);
        }
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setRequestProperty("User-Agent", "orlojctl");
        try {
            int status = connection.getResponseCode();
            if (status != HttpURLConnection.HTTP_OK) {
                throw new IOException("the server answered " + status);
            }
            try (InputStream in = connection.getInputStream()) {
                byte[] bytes = in.readNBytes(MAX_BYTES + 1);
                if (bytes.length > MAX_BYTES) {
                    throw new IOException("it is longer than %d bytes".formatted(MAX_BYTES));
                }
                return bytes;
            }
        } finally {
            connection.disconnect();
        }
    }
}
