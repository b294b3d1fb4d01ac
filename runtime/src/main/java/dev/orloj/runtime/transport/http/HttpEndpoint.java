package dev.orloj.runtime.transport.http;

import dev.orloj.runtime.gateway.GatewayPath;
import dev.orloj.runtime.oauth.AccessToken;
import dev.orloj.runtime.oauth.RequestAuthorization;
import dev.orloj.runtime.transport.PendingRequests.Pending;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.ServerAddress;

import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.cookie.BasicCookieStore;
import org.apache.hc.client5.http.cookie.CookieStore;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.net.URIAuthority;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The endpoint of one server for one connection: its headers, its session, its cookies (load
 * balancers route by them) and the exchanges in progress. Thread-safe.
 */
final class HttpEndpoint {

    static final String SESSION_ID = "Mcp-Session-Id";

    private static final String PROTOCOL_VERSION = "MCP-Protocol-Version";

    /** JSON is UTF-8; servers that compare the whole header expect no charset. */
    private static final ContentType JSON = ContentType.create("application/json");

    private static final int MAX_REDIRECTS = 3;

    /** A request may need a first token, another one instead, and one with more scopes. */
    private static final int MAX_RENEWALS = 3;

    private static final String BOTH_ANSWERS = "application/json, text/event-stream";

    private final EndpointClient client;
    private final ServerAddress.Http address;
    private final RequestAuthorization authorization;
    private final CookieStore cookies = new BasicCookieStore();
    private final EndpointCertificate certificate = new EndpointCertificate();
    private final SessionAffinity affinity;
    private final Set<Exchange> running = ConcurrentHashMap.newKeySet();
    private volatile @Nullable String sessionId;
    private volatile @Nullable ProtocolRevision revision;
    private volatile boolean closed = false;

    /**
     * One request, including the redirects that it follows. It can be aborted from any thread, at
     * any time.
     */
    final class Exchange implements AutoCloseable {

        private final String method;
        private final URI first;
        private final byte @Nullable [] body;
        private final Map<String, String> headers;

        /** Taken from the requesting thread, since another thread may send the request. */
        private final List<String> passed = GatewayPath.passed();

        private volatile boolean aborted = false;
        private volatile @Nullable HttpUriRequestBase request;
        private volatile @Nullable Future<?> abortion;
        private @Nullable ClassicHttpResponse response;
        private @Nullable Pending carried;

        private Exchange(
                String method, URI first, byte @Nullable [] body, Map<String, String> headers) {
            this.method = method;
            this.first = first;
            this.body = body;
            this.headers = headers;
        }

        /** Counts this request as delivered as soon as there is a connection that it is sent to. */
        Exchange carrying(Pending delivered) {
            carried = delivered;
            return this;
        }

        /**
         * Sends the request and waits for the head of the response. Sends it again if the response
         * asks for another access token.
         */
        ClassicHttpResponse execute() throws IOException {
            for (int repeats = 0; ; repeats++) {
                AccessToken token = authorization.token();
                ClassicHttpResponse answer = follow(token);
                boolean isLast = repeats >= MAX_RENEWALS;
                try {
                    if (!authorization.renew(token, answer.getCode(), challenges(answer))
                            || isLast) {
                        response = answer;
                        return answer;
                    }
                } finally {
                    if (response == null) {
                        answer.close();
                    }
                }
            }
        }

        /** Sends the request, and again where redirects of the same origin lead. */
        private ClassicHttpResponse follow(@Nullable AccessToken token) throws IOException {
            URI target = first;
            for (int hop = 0; ; hop++) {
                HttpClientContext context = context();
                context.setAttribute(EndpointRequestExecutor.CARRIED, carried);
                URI uri = target;
                ClassicHttpResponse answer =
                        affinity.send(at -> send(at, request(uri, token), context));
                certificate.answered(context);
                URI redirect = hop < MAX_REDIRECTS ? SameOrigin.redirect(target, answer) : null;
                if (redirect == null) {
                    return answer;
                }
                answer.close();
                target = redirect;
            }
        }

        /** Sends the request to one address of its host, which it still names. */
        private ClassicHttpResponse send(
                InetAddress address, HttpUriRequestBase next, HttpClientContext context)
                throws IOException {
            request = next;
            if (aborted || closed) {
                throw new IOException("aborted");
            }
            URIAuthority host = next.getAuthority();
            HttpHost target =
                    new HttpHost(next.getScheme(), address, host.getHostName(), host.getPort());
            return GatewayPath.during(
                    passed, () -> client.http().executeOpen(target, next, context));
        }

        void abort() {
            aborted = true;
            HttpUriRequestBase current = request;
            if (current != null) {
                current.cancel();
            }
        }

        /**
         * Aborts the exchange after the limit unless it is closed before; has no effect on a closed
         * exchange.
         */
        void abortAfter(Duration limit, ScheduledExecutorService timer) {
            try {
                Future<?> timed =
                        timer.schedule(this::abort, limit.toMillis(), TimeUnit.MILLISECONDS);
                abortion = timed;
                if (!running.contains(this)) {
                    timed.cancel(false);
                }
            } catch (RejectedExecutionException e) {
                // The timer has shut down, and with it all exchanges that were to continue.
                abort();
            }
        }

        @Override
        public void close() {
            running.remove(this);
            Future<?> timed = abortion;
            if (timed != null) {
                timed.cancel(false);
            }
            try {
                if (response != null) {
                    response.close();
                }
            } catch (IOException e) {
                // The connection is not reused, which is all that closing has to ensure.
            }
        }

        private HttpUriRequestBase request(URI target, @Nullable AccessToken token) {
            HttpUriRequestBase http = new HttpUriRequestBase(method, target);
            address.headers().forEach(http::setHeader);
            if (token != null) {
                http.setHeader(HttpHeaders.AUTHORIZATION, token.header());
            }
            http.setHeader(HttpHeaders.ACCEPT, BOTH_ANSWERS);
            String session = sessionId;
            if (session != null) {
                http.setHeader(SESSION_ID, session);
            }
            ProtocolRevision spoken = revision;
            if (spoken != null && spoken.hasHeader()) {
                http.setHeader(PROTOCOL_VERSION, spoken.version());
            }
            headers.forEach(http::setHeader);
            if (body != null) {
                http.setEntity(new ByteArrayEntity(body, JSON));
            }
            return http;
        }
    }

    HttpEndpoint(
            EndpointClient client, ServerAddress.Http address, RequestAuthorization authorization) {
        this.client = client;
        this.address = address;
        this.authorization = authorization;
        this.affinity = new SessionAffinity(client.addresses(), address.endpoint());
    }

    /**
     * @param headers headers of this message, in addition to the headers of all requests
     */
    Exchange post(byte[] body, Map<String, String> headers) {
        return exchange("POST", address.endpoint(), body, headers);
    }

    /**
     * @param target the URI to which the server expects messages
     */
    Exchange postTo(URI target, byte[] body) {
        return exchange("POST", target, body, Map.of());
    }

    /**
     * Resolves an address that the server sent.
     *
     * @throws IllegalArgumentException when it is not an address, or leads to another scheme, host
     *     or port, to which credentials must not be sent
     */
    URI resolve(String named) {
        return SameOrigin.resolve(address.endpoint(), named);
    }

    /**
     * @param lastEventId resumes a stream after this event
     */
    Exchange get(@Nullable String lastEventId) {
        return exchange(
                "GET",
                address.endpoint(),
                null,
                lastEventId == null
                        ? Map.of(HttpHeaders.ACCEPT, "text/event-stream")
                        : Map.of(
                                HttpHeaders.ACCEPT,
                                "text/event-stream",
                                "Last-Event-ID",
                                lastEventId));
    }

    Exchange delete() {
        return exchange("DELETE", address.endpoint(), null, Map.of());
    }

    /** Returns values that messages must not show. */
    Stream<String> credentials() {
        return Stream.concat(
                address.headers().values().stream().flatMap(value -> Stream.of(value.split(" "))),
                authorization.secrets().stream());
    }

    /** Returns whether the server has accepted the revision, and so a session. */
    boolean isNegotiated() {
        return revision != null;
    }

    @Nullable String sessionId() {
        return sessionId;
    }

    /** Sets the session id that every request carries from now on. */
    void useSession(@Nullable String id) {
        affinity.beginSession();
        sessionId = id;
    }

    /**
     * Sets the revision that every request carries from now on, if the revision defines the header.
     * A revision with sessions keeps the requests at the address that responded last.
     */
    void use(ProtocolRevision spoken) {
        if (spoken.isStateless()) {
            affinity.useAnyAddress();
        } else {
            affinity.beginSession();
        }
        revision = spoken;
    }

    /**
     * Returns whether exchanges are independent: without a session and without resumable streams.
     */
    boolean isStateless() {
        ProtocolRevision spoken = revision;
        return spoken != null && spoken.isStateless();
    }

    EndpointCertificate certificate() {
        return certificate;
    }

    SessionAffinity affinity() {
        return affinity;
    }

    /** Returns the URI for messages, without query and user info, which may contain keys. */
    String display() {
        return display(address.endpoint());
    }

    /** Aborts all exchanges in progress. */
    void abortAll() {
        running.forEach(Exchange::abort);
    }

    /** Aborts all exchanges and starts no more. */
    void close() {
        closed = true;
        abortAll();
    }

    private Exchange exchange(
            String method, URI target, byte @Nullable [] body, Map<String, String> headers) {
        Exchange exchange = new Exchange(method, target, body, headers);
        running.add(exchange);
        return exchange;
    }

    private static List<String> challenges(ClassicHttpResponse answer) {
        return answer.getCode() == HttpStatus.SC_UNAUTHORIZED
                        || answer.getCode() == HttpStatus.SC_FORBIDDEN
                ? Stream.of(answer.getHeaders(HttpHeaders.WWW_AUTHENTICATE))
                        .map(Header::getValue)
                        .toList()
                : List.of();
    }

    private HttpClientContext context() {
        HttpClientContext context = HttpClientContext.create();
        context.setCookieStore(cookies);
        context.setAttribute(EndpointCertificate.ATTRIBUTE, certificate);
        return context;
    }

    static String display(URI uri) {
        return uri.getScheme()
                + "://"
                + uri.getHost()
                + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
                + uri.getPath();
    }

    static boolean isSuccess(ClassicHttpResponse response) {
        return response.getCode() >= 200 && response.getCode() < 300;
    }

    /** Reads at most the first {@code limit} bytes of a body. */
    static byte[] read(@Nullable HttpEntity entity, int limit) throws IOException {
        if (entity == null) {
            return new byte[0];
        }
        try (InputStream in = entity.getContent()) {
            return in.readNBytes(limit);
        }
    }
}
