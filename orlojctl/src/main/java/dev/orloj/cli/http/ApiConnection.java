package dev.orloj.cli.http;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.Json;
import dev.orloj.cli.tls.TlsSettings;
import dev.orloj.cli.tls.TlsSockets;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;

/** Sends requests to one server. Safe for many threads. */
public final class ApiConnection {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    static {
        // What an exception may show; to find out, the JDK would read its security settings: 3 ms.
        if (System.getProperty("jdk.includeInExceptions") == null) {
            System.setProperty("jdk.includeInExceptions", "");
        }
        // By default the JDK repeats a POST without a response, which would call a tool twice.
        System.setProperty("sun.net.http.retryPost", "false");
        // A request that is not repeated must not use a connection that the server is closing.
        System.setProperty("http.keepAlive", "false");
    }

    private final ServerLocation server;
    private final Optional<String> token;
    private final Duration timeout;
    private final Consumer<String> warnings;
    private final PatchConnections patches;
    private final Supplier<TlsSockets> tls;

    /**
     * @param token sent as a bearer token; rejected where others could read it
     * @param timeout limit of the time to the next byte of a response; zero for none
     * @param warnings receives the warnings of the server
     */
    public ApiConnection(
            ServerLocation server,
            Optional<String> token,
            Duration timeout,
            Consumer<String> warnings) {
        this(server, token, timeout, warnings, TlsSettings.DEFAULT);
    }

    /**
     * @param token sent as a bearer token; rejected where others could read it
     * @param timeout limit of the time to the next byte of a response; zero for none
     * @param warnings receives the warnings of the server
     * @param tls whom to trust, and who one is
     */
    public ApiConnection(
            ServerLocation server,
            Optional<String> token,
            Duration timeout,
            Consumer<String> warnings,
            TlsSettings tls) {
        if (token.isPresent() && !server.isPrivate()) {
            throw new IllegalArgumentException(
                    "a token is not sent to %s: anybody on the way could read it; use https"
                            .formatted(server));
        }
        this.server = server;
        this.token = token;
        this.timeout = timeout;
        this.warnings = warnings;
        // Only https loads what TLS needs.
        this.tls = server.isHttps() ? of(TlsSockets.of(tls)) : ApiConnection::noTls;
        this.patches = new PatchConnections(server, this.tls, CONNECT_TIMEOUT);
    }

    private static Supplier<TlsSockets> of(TlsSockets sockets) {
        return () -> sockets;
    }

    private static TlsSockets noTls() {
        throw new IllegalStateException("the server has no https");
    }

    public ServerLocation server() {
        return server;
    }

    /**
     * Sends a request.
     *
     * @throws ApiException with which the server rejected it
     * @throws ConnectionException when there is no response
     */
    public Answer send(Request request) {
        URI url = url(request.path());
        try {
            Http1Connection connection = Http1Connection.open(server, tls, url, CONNECT_TIMEOUT);
            boolean isAnswered = false;
            try {
                Answer answer = answer(connection, url, request);
                isAnswered = true;
                return answer;
            } finally {
                if (!isAnswered) {
                    connection.close();
                }
            }
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private Answer answer(Http1Connection connection, URI url, Request request) throws IOException {
        Map<String, String> headers = headers(request);
        headers.put("Connection", "close");
        if (request.body() != null) {
            headers.put("Content-Type", Request.JSON);
        }
        Duration wait = request.timeout() == null ? timeout : request.timeout();
        Request.Upload upload = request.upload();
        Http1Connection.Head head =
                upload == null
                        ? connection.request(request.method(), url, headers, request.body(), wait)
                        : connection.upload(url, headers, upload, wait);
        Reply.warnings(head.headers().getOrDefault("warning", List.of())).forEach(warnings);
        notifyListener(request.listener(), head);
        if (head.status() < 200 || head.status() > 299) {
            throw ResponseErrors.of(
                    head.status(),
                    server,
                    request.method() + " " + url.getPath(),
                    connection.body(head).readNBytes(ResponseErrors.MAX_BYTES));
        }
        return new Answer(connection, connection.body(head));
    }

    /**
     * Sends a PATCH. The reply contains the warnings of the server, so that they can be shown in
     * the order of the requests.
     *
     * @throws ApiException with which the server rejected it
     * @throws ConnectionException when there is no response
     */
    public Reply patch(Request request) {
        URI url = url(request.path());
        byte[] body = request.body() == null ? new byte[0] : request.body();
        Duration wait = request.timeout() == null ? timeout : request.timeout();
        try {
            Reply reply = patches.exchange(url, headers(request), body, wait);
            if (reply.status() < 200 || reply.status() > 299) {
                throw ResponseErrors.of(
                        reply.status(), server, "PATCH " + url.getPath(), reply.body());
            }
            return reply;
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private Map<String, String> headers(Request request) {
        Map<String, String> headers = new TreeMap<>();
        headers.put("Accept", request.accept());
        headers.put("User-Agent", "orlojctl");
        headers.putAll(request.headers());
        token.ifPresent(t -> headers.put("Authorization", "Bearer " + t));
        return headers;
    }

    /** Sends a request and returns the whole body of the response. */
    public byte[] read(Request request) {
        try (Answer answer = send(request);
                InputStream body = answer.body()) {
            return body.readAllBytes();
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    /** Sends a request and returns the JSON object of the response. */
    public ObjectNode readObject(Request request) {
        return object(read(request));
    }

    /** Returns the JSON object in the body of a response. */
    public ObjectNode object(byte[] body) {
        try {
            if (Json.MAPPER.readTree(body) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException e) {
            // reported below
        }
        throw new ApiException(
                ErrorReason.INTERNAL_ERROR,
                "the server at %s did not answer with a JSON object".formatted(server));
    }

    /** Opens a connection for the stream of an MCP session. */
    HttpURLConnection open(Request request) throws IOException {
        // The proxy look-up takes time, and there is no proxy between a machine and itself.
        var url = url(request.path()).toURL();
        HttpURLConnection connection =
                (HttpURLConnection)
                        (server.isLoopback()
                                ? url.openConnection(Proxy.NO_PROXY)
                                : url.openConnection());
        if (connection instanceof HttpsURLConnection https) {
            tls.get().secure(https);
        }
        connection.setRequestMethod(request.method());
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setConnectTimeout((int) CONNECT_TIMEOUT.toMillis());
        Duration wait = request.timeout() == null ? timeout : request.timeout();
        connection.setReadTimeout((int) Math.min(Integer.MAX_VALUE, wait.toMillis()));
        headers(request).forEach(connection::setRequestProperty);
        return connection;
    }

    private URI url(String path) {
        try {
            return new URI(server.url() + path);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("\"" + path + "\" is no path", e);
        }
    }

    private static void notifyListener(
            Request.@Nullable HeaderListener listener, Http1Connection.Head head) {
        if (listener != null) {
            String name = listener.header().toLowerCase(Locale.ROOT);
            head.headers().getOrDefault(name, List.of()).stream()
                    .findFirst()
                    .ifPresent(listener.consumer());
        }
    }

    /** Returns an error for an interrupted exchange. */
    ConnectionException unreachable(IOException e) {
        String why =
                switch (e) {
                    case UnknownHostException unknown ->
                            "unknown host \"" + unknown.getMessage() + "\"";
                    case ConnectException refused -> "connection refused";
                    case SocketTimeoutException late -> "no answer in time";
                    case SSLException tls ->
                            "no connection by https: %s; check that the server has https, and that its certificate is trusted"
                                    .formatted(tls.getMessage());
                    default -> String.valueOf(e.getMessage());
                };
        String remedy =
                e instanceof ConnectException || e instanceof UnknownHostException
                        ? "; is orlojd running? Start it with \"bin/orlojd\", or name another"
                                + " server with --server or ORLOJCTL_SERVER"
                        : "";
        return new ConnectionException(
                "cannot reach the server at %s: %s%s".formatted(server, why, remedy), e);
    }
}
