package dev.orloj.runtime.oauth;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.network.EndpointClients;
import dev.orloj.runtime.network.RefusedAddressException;

import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.entity.UrlEncodedFormEntity;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.NameValuePair;
import org.apache.hc.core5.http.io.HttpClientResponseHandler;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Fetches metadata and posts token requests: from permitted addresses only, without redirects and
 * cookies, and with bounds of size and time. Thread-safe.
 */
final class OAuthHttp implements AutoCloseable {

    /** The response of a token endpoint. */
    record Answer(int status, ObjectNode body) {

        boolean isSuccess() {
            return status >= 200 && status < 300;
        }

        /** Returns whether the same request may succeed later. */
        boolean mayPass() {
            return status >= 500 || status == TOO_MANY_REQUESTS;
        }
    }

    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

    private static final int MAX_BYTES = 256 * 1024;
    private static final Timeout SOCKET_TIMEOUT = Timeout.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 400;
    private static final int TOO_MANY_REQUESTS = 429;

    private final CloseableHttpClient client;
    private final ScheduledExecutorService timer;

    /**
     * @param timer aborts requests; shared
     */
    OAuthHttp(EndpointAddresses endpoints, ScheduledExecutorService timer) {
        this.timer = timer;
        this.client =
                EndpointClients.custom(
                                endpoints,
                                Optional::empty,
                                SocketConfig.custom().setSoTimeout(SOCKET_TIMEOUT).build())
                        .disableCookieManagement()
                        .build();
    }

    /**
     * Fetches a document. Empty if there is none, or it is no JSON object.
     *
     * @throws OAuthException when the host does not answer, or answers that it failed
     */
    Optional<ObjectNode> get(URI url) throws OAuthException {
        HttpGet request = new HttpGet(url);
        request.setHeader(HttpHeaders.ACCEPT, "application/json");
        Answer answer = exchange(request, OAuthFailure.DISCOVERY_FAILED);
        int status = answer.status();
        if (answer.mayPass()) {
            throw OAuthException.passing(
                    OAuthFailure.DISCOVERY_FAILED, "%s answers %d".formatted(url, status), null);
        }
        if (status >= 300 && status < NOT_FOUND) {
            throw OAuthException.lasting(
                    OAuthFailure.DISCOVERY_FAILED,
                    "%s redirects, which metadata must not".formatted(url));
        }
        return answer.isSuccess() && !answer.body().isEmpty()
                ? Optional.of(answer.body())
                : Optional.empty();
    }

    /**
     * Posts a form.
     *
     * @throws OAuthException when the host does not answer
     */
    Answer post(URI url, List<NameValuePair> form, Map<String, String> headers)
            throws OAuthException {
        HttpPost request = new HttpPost(url);
        request.setHeader(HttpHeaders.ACCEPT, "application/json");
        headers.forEach(request::setHeader);
        request.setEntity(new UrlEncodedFormEntity(form, StandardCharsets.UTF_8));
        return exchange(request, OAuthFailure.TOKEN_FAILED);
    }

    /**
     * Posts JSON.
     *
     * @throws OAuthException when the host does not answer
     */
    Answer post(URI url, ObjectNode body) throws OAuthException {
        HttpPost request = new HttpPost(url);
        request.setHeader(HttpHeaders.ACCEPT, "application/json");
        request.setEntity(new StringEntity(body.toString(), ContentType.APPLICATION_JSON));
        return exchange(request, OAuthFailure.DISCOVERY_FAILED);
    }

    /** Returns what a server asks for when a request has no token; nothing if it does not ask. */
    BearerChallenge challenge(URI endpoint) throws OAuthException {
        HttpPost request = new HttpPost(endpoint);
        request.setHeader(HttpHeaders.ACCEPT, "application/json, text/event-stream");
        request.setEntity(new StringEntity(PING, ContentType.APPLICATION_JSON));
        return exchange(request, OAuthFailure.DISCOVERY_FAILED, response -> challenge(response));
    }

    private static BearerChallenge challenge(ClassicHttpResponse response) throws IOException {
        List<String> headers =
                response.getCode() == UNAUTHORIZED
                        ? Stream.of(response.getHeaders(HttpHeaders.WWW_AUTHENTICATE))
                                .map(Header::getValue)
                                .toList()
                        : List.of();
        // The content may be a stream that never ends. Without it, the client closes the
        // connection.
        response.setEntity(null);
        return BearerChallenge.in(headers);
    }

    private Answer exchange(HttpUriRequestBase request, OAuthFailure failure)
            throws OAuthException {
        return exchange(request, failure, response -> read(response));
    }

    private <T> T exchange(
            HttpUriRequestBase request, OAuthFailure failure, HttpClientResponseHandler<T> handler)
            throws OAuthException {
        Future<?> abortion =
                timer.schedule(request::cancel, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        try {
            return client.execute(request, handler);
        } catch (RefusedAddressException e) {
            throw OAuthException.lasting(failure, "%s: %s".formatted(url(request), e.getMessage()));
        } catch (IOException e) {
            throw OAuthException.passing(
                    failure, "%s cannot be reached: %s".formatted(url(request), why(e)), e);
        } finally {
            abortion.cancel(false);
        }
    }

    private static String url(HttpUriRequestBase request) {
        return request.getScheme() + "://" + request.getAuthority() + request.getPath();
    }

    private static String why(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static Answer read(ClassicHttpResponse response) throws IOException {
        HttpEntity entity = response.getEntity();
        if (entity == null) {
            return new Answer(response.getCode(), Json.MAPPER.createObjectNode());
        }
        try (InputStream body = entity.getContent()) {
            byte[] bytes = body.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException("the answer is longer than %d bytes".formatted(MAX_BYTES));
            }
            return new Answer(response.getCode(), object(bytes));
        }
    }

    /** Returns an empty object for anything that is no object: pages of errors are HTML. */
    private static ObjectNode object(byte[] bytes) {
        try {
            JsonNode read = Json.MAPPER.readTree(bytes);
            return read instanceof ObjectNode object ? object : Json.MAPPER.createObjectNode();
        } catch (JacksonException e) {
            return Json.MAPPER.createObjectNode();
        }
    }

    @Override
    public void close() {
        client.close(CloseMode.IMMEDIATE);
    }
}
