package dev.orloj.runtime.client;

import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.http.HttpStatusException;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Negotiates the revision with a server over an open transport. Sends {@code server/discover} of
 * the newest revision first; any other reaction than a response means that the server requires
 * {@code initialize} (2026-07-28, stdio and Streamable HTTP, "Backward Compatibility").
 */
public final class VersionNegotiation {

    static final String DISCOVER = "server/discover";
    private static final String INITIALIZE = "initialize";

    /** Limits the probe, because older servers may not respond to unknown requests. */
    public static final Duration PROBE_TIMEOUT = Duration.ofSeconds(3);

    private static final int HEADER_MISMATCH = -32020;
    private static final int UNSUPPORTED_VERSION = -32022;

    /**
     * The result of the negotiation.
     *
     * @param isLasting whether the server showed its era, so that the next session may rely on it
     */
    public record NegotiatedServer(Era era, ServerIdentity identity, boolean isLasting) {}

    /** The result of the probe with the newest revision. */
    private sealed interface Probe {

        record Answered(ServerIdentity identity) implements Probe {}

        /** The server responded that it does not know the request. */
        record Refused() implements Probe {}

        /** Unknown: the server did not respond, or a proxy refused the request. */
        record Unclear() implements Probe {}
    }

    private final Transport transport;
    private final Era.Modern modern;
    private final String clientVersion;
    private final Duration timeout;
    private final ServerRequestPolicy requestPolicy;

    /**
     * @param timeout how long the server may take to start and respond
     * @param requestPolicy which requests the server may send later
     */
    VersionNegotiation(
            Transport transport,
            String clientVersion,
            Duration timeout,
            ServerRequestPolicy requestPolicy) {
        this.transport = transport;
        this.modern = Era.Modern.of(clientVersion);
        this.clientVersion = clientVersion;
        this.timeout = timeout;
        this.requestPolicy = requestPolicy;
    }

    /**
     * @param knownAsLegacy skips the probe for a server that is known to require {@code initialize}
     * @throws McpProtocolException when both sides have no revision in common
     * @throws ServerExitedException when the program ended on the probe
     */
    NegotiatedServer make(boolean knownAsLegacy) throws InterruptedException {
        Probe probe = knownAsLegacy ? new Probe.Unclear() : probe(shorter(PROBE_TIMEOUT));
        return switch (probe) {
            case Probe.Answered(ServerIdentity identity) -> settle(identity);
            case Probe.Refused _ -> initialize(true);
            case Probe.Unclear _ -> initializeOrAsk(knownAsLegacy);
        };
    }

    /**
     * Probes again when {@code initialize} fails, because a slow server may support the newest
     * revision after all.
     */
    private NegotiatedServer initializeOrAsk(boolean knownAsLegacy) throws InterruptedException {
        try {
            return initialize(knownAsLegacy);
        } catch (JsonRpcException | HttpStatusException e) {
            boolean needsCredentials =
                    e instanceof HttpStatusException status && status.isForCredentials();
            if (!needsCredentials
                    && transport.isOpen()
                    && probe(timeout) instanceof Probe.Answered(ServerIdentity identity)) {
                return settle(identity);
            }
            throw e;
        }
    }

    private NegotiatedServer settle(ServerIdentity identity) {
        transport.negotiated(modern.revision());
        return new NegotiatedServer(modern, identity, true);
    }

    private NegotiatedServer initialize(boolean isLasting) throws InterruptedException {
        JsonNode answer =
                transport.request(
                        INITIALIZE,
                        Handshake.offer(clientVersion, requestPolicy.declared()),
                        timeout);
        ServerIdentity identity = Handshake.accept(answer);
        ProtocolRevision revision = ProtocolRevision.of(identity.protocolVersion()).orElseThrow();
        // First, because a server over HTTP requires the version in every later message.
        transport.negotiated(revision);
        transport.notify("notifications/initialized", null);
        return new NegotiatedServer(new Era.Legacy(revision), identity, isLasting);
    }

    /**
     * Retries a refusal that contains the revision: several servers may share one address, some of
     * them older.
     */
    private Probe probe(Duration limit) throws InterruptedException {
        try {
            return discover(limit);
        } catch (JsonRpcException e) {
            if (!supported(e.error()).contains(modern.revision().version())) {
                return refused(e.error());
            }
        }
        try {
            return discover(limit);
        } catch (JsonRpcException e) {
            return refused(e.error());
        }
    }

    private Probe discover(Duration limit) throws InterruptedException {
        try {
            JsonNode answer =
                    transport.request(modern.write(DISCOVER, null), RequestDeadline.after(limit));
            return DiscoverResult.speaks(answer, modern.revision())
                    ? new Probe.Answered(DiscoverResult.identity(answer, modern.revision()))
                    : new Probe.Refused();
        } catch (RequestTimeoutException e) {
            return new Probe.Unclear();
        } catch (HttpStatusException e) {
            return showsTheServer(e.status()) ? new Probe.Refused() : new Probe.Unclear();
        } catch (TransportException e) {
            if (transport.isOpen()) {
                throw e;
            }
            throw new ServerExitedException(e);
        }
    }

    /** Returns whether a status comes from the server; proxies have statuses of their own. */
    private static boolean showsTheServer(int status) {
        return switch (status) {
            case 401, 403, 407, 408, 429 -> false;
            default -> status >= 400 && status < 500;
        };
    }

    /** Evaluates a refusal: a server that supports only newer revisions names them. */
    private static Probe refused(JsonRpcError error) {
        Set<String> supported = supported(error);
        boolean speaksLegacy =
                ProtocolRevision.legacy().stream()
                        .anyMatch(revision -> supported.contains(revision.version()));
        if (!supported.isEmpty() && !speaksLegacy) {
            throw Handshake.unknown(String.join(", ", supported.stream().sorted().toList()));
        }
        if (error.code() == HEADER_MISMATCH) {
            throw new McpProtocolException(
                    "Server does not accept the headers of the request: " + error.message());
        }
        return new Probe.Refused();
    }

    /** Returns the revisions that a server lists in its refusal. */
    private static Set<String> supported(JsonRpcError error) {
        return error.code() != UNSUPPORTED_VERSION || error.data() == null
                ? Set.of()
                : error.data()
                        .path("supported")
                        .valueStream()
                        .map(version -> version.asString(""))
                        .collect(Collectors.toSet());
    }

    private Duration shorter(Duration other) {
        return timeout.compareTo(other) < 0 ? timeout : other;
    }
}
