package dev.orloj.runtime.transport;

import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.workload.ContainerRef;
import dev.orloj.runtime.workload.ExitStatus;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One connection to one MCP server. Blocking and thread-safe. For a single use: after {@link
 * #close} or the end of the server, a new transport is required.
 *
 * <p>The transport responds to a {@code ping} of the server. It passes other requests to {@link
 * OutgoingRequest#asked} if they arrive with the response to a request, which relates them to it,
 * else to the listener. Notifications go to {@link OutgoingRequest#notified} first, in the same
 * way.
 */
public interface Transport extends AutoCloseable {

    /**
     * Starts the child, or prepares the HTTP exchange without connecting.
     *
     * @throws TransportException when the child cannot be started
     * @throws IllegalStateException when called a second time
     */
    void open(TransportListener listener) throws InterruptedException;

    /**
     * Sends a request and waits for its response. After the deadline or an interrupt, cancels the
     * request with {@code notifications/cancelled} (never for the first request) or, over HTTP
     * since 2026-07-28, by ending the exchange. Drops a late response.
     *
     * @return the {@code result} as it was received
     * @throws JsonRpcException when the server responded with an error
     * @throws RequestTimeoutException when no response arrived in time
     * @throws SessionExpiredException when the server no longer knows the session; it did not
     *     process the request
     * @throws TransportException when the connection is lost or the response is invalid
     */
    JsonNode request(OutgoingRequest request, RequestDeadline deadline) throws InterruptedException;

    /** As above, without headers. */
    default JsonNode request(String method, @Nullable JsonNode params, RequestDeadline deadline)
            throws InterruptedException {
        return request(new OutgoingRequest(method, params), deadline);
    }

    /** As above, with a deadline that begins now and that nothing moves. */
    default JsonNode request(String method, @Nullable JsonNode params, Duration timeout)
            throws InterruptedException {
        return request(method, params, RequestDeadline.after(timeout));
    }

    /**
     * Sends a notification. Over stdio it is queued; over HTTP it waits until the server has
     * accepted it.
     *
     * @throws TransportException when it cannot be sent
     */
    void notify(String method, @Nullable JsonNode params);

    /**
     * Sets the revision of all further messages. HTTP sends {@code MCP-Protocol-Version}
     * (2025-06-18 and later) and, before 2026-07-28, requests the stream of server messages in the
     * background.
     */
    void negotiated(ProtocolRevision revision);

    /** Whether the connection is open and the child alive. */
    boolean isOpen();

    /** The process id of the server on this host, while there is one. */
    Optional<Long> pid();

    /** The container of the server, while there is a known one. */
    default Optional<ContainerRef> container() {
        return Optional.empty();
    }

    /** The number of connections that the program has had before this one. */
    default int earlierConnections() {
        return 0;
    }

    /** The certificate of the endpoint in its latest answer; empty without TLS. */
    default Optional<X509Certificate> certificate() {
        return Optional.empty();
    }

    /**
     * Sends no further request to an endpoint with a certificate that is not accepted; such a
     * request fails with a {@link SessionExpiredException}. Has no effect without TLS.
     */
    default void requireCertificate(Predicate<X509Certificate> accepted) {}

    /** How the process of the server ended; empty while it runs, and when there is none. */
    default Optional<ExitStatus> exit() {
        return Optional.empty();
    }

    /**
     * Whether the server ended when its stdin was closed; empty before {@link #close}, and without
     * a process.
     */
    default Optional<Boolean> obeyedEof() {
        return Optional.empty();
    }

    TransportStats stats();

    /**
     * Closes the connection and returns when it is closed. A child gets its stdin closed, then
     * after its grace SIGTERM, after another SIGKILL, each to the whole group; an HTTP session is
     * deleted. Requests in flight fail. Idempotent; a second caller waits for the first.
     */
    @Override
    void close();
}
