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
 * The first words with a server, over a transport that is open: which era it is of, and who it is.
 * A server is asked in the newest revision first; whatever it makes of that, short of an answer,
 * shows one that wants to be greeted with {@code initialize} (2026-07-28, stdio and Streamable
 * HTTP, "Backward Compatibility").
 */
public final class VersionNegotiation {

    static final String DISCOVER = "server/discover";
    private static final String INITIALIZE = "initialize";

    /** Servers of old may stay silent at what they do not know. */
    public static final Duration PROBE_TIMEOUT = Duration.ofSeconds(3);

    private static final int HEADER_MISMATCH = -32020;
    private static final int UNSUPPORTED_VERSION = -32022;

    /**
     * What came of it.
     *
     * @param isLasting whether the server showed its era, so that the next session may rely on it
     */
    public record NegotiatedServer(Era era, ServerIdentity identity, boolean isLasting) {}

    /** What came of asking in the newest revision. */
    private sealed interface Probe {

        record Answered(ServerIdentity identity) implements Probe {}

        /** The server is there, and knows no such request. */
        record Refused() implements Probe {}

        /** Nothing is known: the server was silent, or somebody before it refused. */
        record Unclear() implements Probe {}
    }

    private final Transport transport;
    private final Era.Modern modern;
    private final String clientVersion;
    private final Duration timeout;
    private final ServerRequestPolicy requestPolicy;

    /**
     * @param timeout how long the server may take to start and answer
     * @param requestPolicy what it may ask later
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
     * @param knownAsLegacy spares a server that is known to want {@code initialize} the question
     * @throws McpProtocolException when there is no revision that both sides speak
     * @throws ServerExitedException when the program ended instead of an answer to the question
     */
    NegotiatedServer make(boolean knownAsLegacy) throws InterruptedException {
        Probe probe = knownAsLegacy ? new Probe.Unclear() : probe(shorter(PROBE_TIMEOUT));
        return switch (probe) {
            case Probe.Answered(ServerIdentity identity) -> settle(identity);
            case Probe.Refused _ -> initialize(true);
            case Probe.Unclear _ -> initializeOrAsk(knownAsLegacy);
        };
    }

    /** A server that is slow to start may be one of the newest after all. */
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
        // First, since a server over HTTP wants the version with every later message.
        transport.negotiated(revision);
        transport.notify("notifications/initialized", null);
        return new NegotiatedServer(new Era.Legacy(revision), identity, isLasting);
    }

    /** A server that refuses the revision and names it may be several, of which some are older. */
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
            return Discovery.speaks(answer, modern.revision())
                    ? new Probe.Answered(Discovery.identity(answer, modern.revision()))
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

    /** Proxies and gates before a server have answers of their own. */
    private static boolean showsTheServer(int status) {
        return switch (status) {
            case 401, 403, 407, 408, 429 -> false;
            default -> status >= 400 && status < 500;
        };
    }

    /** A server of a newer era than ours says so itself; one of both eras has the older left. */
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

    /** The revisions that a server names when it refuses another one. */
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
