package dev.orloj.runtime.http;

import dev.orloj.runtime.network.RefusedAddressException;
import dev.orloj.runtime.reading.GrowingBuffer;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.reading.ReadBudgetException;
import dev.orloj.runtime.reading.Reading;
import dev.orloj.runtime.transport.TransportException;

import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/** One request and its response. Runs once, on its own thread; any thread may abort it. */
final class HttpToolExchange {

    private static final int MAX_REDIRECTS = 3;

    /** Maximum number of bytes read of an unsuccessful response. */
    private static final int REFUSAL_BYTES = 16 * 1024;

    private static final Set<Integer> REDIRECTS_OF_ALL = Set.of(307, 308);
    private static final Set<Integer> REDIRECTS_OF_GET = Set.of(301, 302, 303, 307, 308);
    private static final ContentType JSON = ContentType.create("application/json");
    private static final String ACCEPTED = "application/json, text/*;q=0.9, */*;q=0.5";

    private final CloseableHttpClient client;
    private final MessageLimits limits;
    private final PreparedRequest request;
    private volatile boolean isAborted = false;
    private volatile boolean isAnswered = false;
    private volatile @Nullable HttpUriRequestBase current;

    HttpToolExchange(CloseableHttpClient client, MessageLimits limits, PreparedRequest request) {
        this.client = client;
        this.limits = limits;
        this.request = request;
    }

    void abort() {
        isAborted = true;
        cancelCurrent();
    }

    /** Aborts the connection. An orderly close would read the response to its end. */
    private void cancelCurrent() {
        HttpUriRequestBase running = current;
        if (running != null) {
            running.cancel();
        }
    }

    /**
     * @throws TransportException when there is no response
     */
    HttpAnswer run() {
        try {
            return attempt();
        } catch (IOException e) {
            if (request.isIdempotent() && hasEnded(e) && !isAnswered && !isAborted) {
                return again();
            }
            throw failure(e);
        }
    }

    private HttpAnswer again() {
        try {
            return attempt();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private HttpAnswer attempt() throws IOException {
        URI target = request.target();
        for (int hop = 0; ; hop++) {
            HttpUriRequestBase next = message(target);
            current = next;
            if (isAborted) {
                throw new IOException("aborted");
            }
            ClassicHttpResponse response = client.executeOpen(null, next, null);
            isAnswered = true;
            try {
                Optional<URI> redirect =
                        hop < MAX_REDIRECTS ? redirect(target, response) : Optional.empty();
                if (redirect.isEmpty()) {
                    return read(response);
                }
                target = redirect.get();
                cancelCurrent();
            } finally {
                close(response);
            }
        }
    }

    private static void close(ClassicHttpResponse response) {
        try {
            response.close();
        } catch (IOException e) {
            // The exchange was aborted before, so its connection is not reused.
        }
    }

    private HttpUriRequestBase message(URI target) {
        HttpUriRequestBase message = new HttpUriRequestBase(request.method(), target);
        message.setHeader(HttpHeaders.ACCEPT, ACCEPTED);
        byte[] body = request.body();
        if (body != null) {
            boolean hasType =
                    request.headers().keySet().stream()
                            .anyMatch(HttpHeaders.CONTENT_TYPE::equalsIgnoreCase);
            message.setEntity(new ByteArrayEntity(body, hasType ? null : JSON));
        }
        request.headers().forEach(message::setHeader);
        return message;
    }

    /**
     * Returns the redirect target. Credentials and arguments are not sent to another scheme, host
     * or port.
     */
    private Optional<URI> redirect(URI from, ClassicHttpResponse response) {
        Set<Integer> followed =
                request.method().equals("GET") ? REDIRECTS_OF_GET : REDIRECTS_OF_ALL;
        Optional<String> location = header(response, HttpHeaders.LOCATION);
        if (location.isEmpty() || !followed.contains(response.getCode())) {
            return Optional.empty();
        }
        try {
            URI target = from.resolve(location.get());
            return origin(target).equals(origin(from)) && target.getUserInfo() == null
                    ? Optional.of(target)
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static List<Object> origin(URI uri) {
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
        return List.of(scheme, String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT), port);
    }

    private HttpAnswer read(ClassicHttpResponse response) throws IOException {
        boolean isSuccess = response.getCode() >= 200 && response.getCode() < 300;
        HttpEntity entity = response.getEntity();
        byte[] body = new byte[0];
        if (entity != null) {
            InputStream content = entity.getContent();
            body = isSuccess ? readAll(content) : content.readNBytes(REFUSAL_BYTES);
            if (!isSuccess && body.length == REFUSAL_BYTES) {
                cancelCurrent();
            }
        }
        return new HttpAnswer(
                response.getCode(),
                String.valueOf(response.getReasonPhrase()),
                entity == null ? null : ContentType.parseLenient(entity.getContentType()),
                body,
                header(response, HttpHeaders.LOCATION),
                header(response, HttpHeaders.RETRY_AFTER));
    }

    private byte[] readAll(InputStream content) throws IOException {
        try (Reading reading = limits.budget().open(this::abort)) {
            GrowingBuffer buffer = new GrowingBuffer(reading, limits.maxMessageBytes());
            try {
                if (!buffer.readAll(content)) {
                    cancelCurrent();
                    throw new TransportException(
                            "The answer of %s is longer than %d bytes (orloj.messages.max-size)"
                                    .formatted(display(), limits.maxMessageBytes()),
                            true);
                }
            } catch (IOException e) {
                throw reading.explain(e);
            }
            return Arrays.copyOf(buffer.bytes(), buffer.size());
        }
    }

    private static Optional<String> header(ClassicHttpResponse response, String name) {
        return Optional.ofNullable(response.getFirstHeader(name)).map(Header::getValue);
    }

    /**
     * Returns whether the connection ended as it does when a server closes a kept-alive connection.
     */
    private static boolean hasEnded(IOException e) {
        return e instanceof NoHttpResponseException
                || e instanceof SocketException && !neverSent(e);
    }

    private static boolean neverSent(IOException e) {
        return e instanceof ConnectException
                || e instanceof UnknownHostException
                || e instanceof NoRouteToHostException
                || e instanceof ConnectTimeoutException
                || e instanceof SSLHandshakeException
                || e instanceof SSLPeerUnverifiedException;
    }

    private TransportException failure(IOException e) {
        boolean delivered = !neverSent(e);
        String what =
                switch (e) {
                    case RefusedAddressException refused -> String.valueOf(refused.getMessage());
                    case UnknownHostException _ -> "the host is not known";
                    case NoHttpResponseException _ -> "the connection was closed without an answer";
                    case SSLHandshakeException tls -> "no TLS connection: " + tls.getMessage();
                    case ReadBudgetException large -> "it was ended: " + large.getMessage();
                    default -> String.valueOf(e.getMessage());
                };
        return new TransportException(
                (delivered ? "Exchange with " : "Connecting to ") + display() + " failed: " + what,
                delivered,
                e);
    }

    /** Returns the URL without path and query, which contain arguments and keys. */
    private String display() {
        URI target = request.target();
        return target.getScheme() + "://" + target.getRawAuthority();
    }
}
