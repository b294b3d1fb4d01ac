package dev.orloj.server.mcp.protocol;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Optional;

/**
 * How one client speaks MCP (2026-07-28, Versioning, "Terminology"): in a session that {@code
 * initialize} opened, or with requests of which each stands for itself. The endpoint decides it
 * once, when it reads a request; all that differs after that is here. Immutable.
 */
public sealed interface ClientEra {

    ProtocolRevision revision();

    /** Empty in revisions without sessions. */
    Optional<ClientSession> findSession();

    /** The HTTP status of the answer to a request that ends with this error. */
    int status(ProtocolError error);

    /** Whether a request is cancelled when the client closes its connection. */
    boolean endsWithConnection();

    /** Whether a client without a log level gets what servers log for its requests. */
    boolean getsLogsUnasked();

    /** The result with how long the client may keep it, where the revision says so. */
    ObjectNode withTimeToLive(ObjectNode result, Duration time);

    /** An error of a server, in codes of the revision. */
    JsonRpcError translate(JsonRpcError error);

    /**
     * Checks arguments that the client has to repeat in headers.
     *
     * @throws ProtocolError when a header is missing, or differs from its argument
     */
    void checkHeaders(ParameterHeaders mirrored, JsonNode arguments, RequestHeaders headers);

    /**
     * Makes a request to a server, in one round or more.
     *
     * @param client answers what the server asks between rounds, where the gateway makes them all
     * @throws ProtocolError when the client does not provide the input
     */
    CallOutcome makeRounds(
            ClientRequest request, RequestingClient client, MultiRoundTrip.Attempt attempt)
            throws InterruptedException;

    /**
     * The result that asks for input, as the client gets it.
     *
     * @throws ProtocolError when the revision has no such results
     */
    ObjectNode inputRequired(ResourceKey server, ObjectNode result);

    /** Revisions that begin with {@code initialize}. */
    record Legacy(ClientSession session) implements ClientEra {

        /** A request in the session. */
        public ClientRequest read(EndpointScope scope, Request request, RequestHeaders headers) {
            return new ClientRequest(
                    scope,
                    this,
                    request.id(),
                    request.method(),
                    request.params() instanceof ObjectNode params
                            ? params
                            : Json.MAPPER.createObjectNode(),
                    headers);
        }

        @Override
        public ProtocolRevision revision() {
            return session.revision();
        }

        @Override
        public Optional<ClientSession> findSession() {
            return Optional.of(session);
        }

        @Override
        public int status(ProtocolError error) {
            return 200;
        }

        /** A client may lose its connection and still want the request to complete. */
        @Override
        public boolean endsWithConnection() {
            return false;
        }

        @Override
        public boolean getsLogsUnasked() {
            return true;
        }

        @Override
        public ObjectNode withTimeToLive(ObjectNode result, Duration time) {
            return result;
        }

        @Override
        public JsonRpcError translate(JsonRpcError error) {
            return error;
        }

        @Override
        public void checkHeaders(
                ParameterHeaders mirrored, JsonNode arguments, RequestHeaders headers) {}

        /** Makes all rounds, since the revision has none. */
        @Override
        public CallOutcome makeRounds(
                ClientRequest request, RequestingClient client, MultiRoundTrip.Attempt attempt)
                throws InterruptedException {
            CallOutcome first = attempt.make(Json.MAPPER.createObjectNode());
            return first instanceof CallOutcome.InputRequired asked
                    ? MultiRoundTrip.makeFurther(asked, client, attempt)
                    : first;
        }

        @Override
        public ObjectNode inputRequired(ResourceKey server, ObjectNode result) {
            throw ProtocolError.internal(
                    "Server \"%s\" needs more input, which revision %s cannot carry"
                            .formatted(server.name(), revision().version()),
                    null);
        }
    }

    /** Revisions in which each request stands for itself. */
    record Modern(ProtocolRevision revision) implements ClientEra {

        private static final int RESOURCE_NOT_FOUND_BEFORE_2026 = -32002;

        /** Empty for other revisions, and for what is none. */
        static Optional<Modern> of(String version) {
            return ProtocolRevision.of(version)
                    .filter(ProtocolRevision::isStateless)
                    .map(Modern::new);
        }

        @Override
        public Optional<ClientSession> findSession() {
            return Optional.empty();
        }

        @Override
        public int status(ProtocolError error) {
            return error.status();
        }

        @Override
        public boolean endsWithConnection() {
            return true;
        }

        @Override
        public boolean getsLogsUnasked() {
            return false;
        }

        /** No result depends on the client, so every cacheable one may be shared. */
        @Override
        public ObjectNode withTimeToLive(ObjectNode result, Duration time) {
            return result.put("ttlMs", time.toMillis()).put("cacheScope", "public");
        }

        @Override
        public JsonRpcError translate(JsonRpcError error) {
            return error.code() == RESOURCE_NOT_FOUND_BEFORE_2026
                    ? new JsonRpcError(JsonRpcError.INVALID_PARAMS, error.message(), error.data())
                    : error;
        }

        @Override
        public void checkHeaders(
                ParameterHeaders mirrored, JsonNode arguments, RequestHeaders headers) {
            HeaderParameters.check(mirrored, arguments, headers);
        }

        /** One round: the client makes the next one. */
        @Override
        public CallOutcome makeRounds(
                ClientRequest request, RequestingClient client, MultiRoundTrip.Attempt attempt)
                throws InterruptedException {
            return attempt.make(MultiRoundTrip.members(request));
        }

        @Override
        public ObjectNode inputRequired(ResourceKey server, ObjectNode result) {
            return result;
        }
    }
}
