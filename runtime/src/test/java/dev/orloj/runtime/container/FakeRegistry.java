package dev.orloj.runtime.container;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A registry on this host that serves one image of one small file, to anybody or to who knows the
 * password. Docker speaks plain HTTP to registries of the loopback network.
 */
public final class FakeRegistry implements AutoCloseable {

    public static final String REPOSITORY = "orloj-test/pulled";

    private static final String MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";
    private static final String CONFIG = "application/vnd.docker.container.image.v1+json";
    private static final String LAYER = "application/vnd.docker.image.rootfs.diff.tar";
    private static final int TAR_BLOCK = 512;

    private final HttpServer server;
    private final PlainPort port;
    private final String authorization;
    private final Map<String, byte[]> blobs = new ConcurrentHashMap<>();
    private final byte[] manifest;
    private final List<String> requests = new CopyOnWriteArrayList<>();

    /**
     * @param credential {@code user:password}; empty for a registry that serves anybody
     */
    public FakeRegistry(String credential) throws IOException {
        this.authorization =
                credential.isEmpty()
                        ? ""
                        : "Basic " + Base64.getEncoder().encodeToString(bytes(credential));
        byte[] layer = emptyTar();
        byte[] config =
                bytes(
                        """
                        {"architecture": "amd64", "os": "linux", "config": {"Cmd": ["/none"]},
                         "rootfs": {"type": "layers", "diff_ids": ["%s"]}}\
                        """
                                .formatted(digest(layer)));
        blobs.put(digest(layer), layer);
        blobs.put(digest(config), config);
        this.manifest =
                bytes(
                        """
                        {"schemaVersion": 2, "mediaType": "%s",
                         "config": {"mediaType": "%s", "size": %d, "digest": "%s"},
                         "layers": [{"mediaType": "%s", "size": %d, "digest": "%s"}]}\
                        """
                                .formatted(
                                        MANIFEST,
                                        CONFIG,
                                        config.length,
                                        digest(config),
                                        LAYER,
                                        layer.length,
                                        digest(layer)));
        this.server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v2/", this::answer);
        server.start();
        this.port = new PlainPort(server.getAddress());
    }

    /** {@code 127.0.0.1:PORT}. */
    public String host() {
        return "127.0.0.1:" + port.number();
    }

    public String image() {
        return host() + "/" + REPOSITORY + ":1";
    }

    public String manifestDigest() {
        return digest(manifest);
    }

    public List<String> requests() {
        return List.copyOf(requests);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add(path);
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        if (!authorization.isEmpty() && !authorization.equals(given)) {
            exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"test\"");
            send(
                    exchange,
                    401,
                    "application/json",
                    bytes(
                            "{\"errors\": [{\"code\": \"UNAUTHORIZED\", \"message\":"
                                    + " \"authentication required\"}]}"));
        } else if (path.equals("/v2/")) {
            send(exchange, 200, "application/json", bytes("{}"));
        } else if (path.startsWith("/v2/" + REPOSITORY + "/manifests/")) {
            exchange.getResponseHeaders().add("Docker-Content-Digest", digest(manifest));
            send(exchange, 200, MANIFEST, manifest);
        } else if (blobs.containsKey(path.substring(path.lastIndexOf('/') + 1))) {
            send(
                    exchange,
                    200,
                    "application/octet-stream",
                    blobs.get(path.substring(path.lastIndexOf('/') + 1)));
        } else {
            send(
                    exchange,
                    404,
                    "application/json",
                    bytes(
                            "{\"errors\": [{\"code\": \"MANIFEST_UNKNOWN\", \"message\": \"manifest"
                                    + " unknown\"}]}"));
        }
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body)
            throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        if (head) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
        }
        exchange.sendResponseHeaders(status, head ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private static byte[] emptyTar() {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        tar.writeBytes(new byte[2 * TAR_BLOCK]);
        return tar.toByteArray();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String digest(byte[] content) {
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        port.close();
        server.stop(0);
    }
}
