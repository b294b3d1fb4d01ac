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
 * Implements how one client uses MCP (2026-07-28, Versioning, "Terminology"): in a session that
 * {@code initialize} opened, or with independent requests. The endpoint determines the era once,
 * when it reads a request; all later differences are implemented here. Immutable.
 */
public sealed interface ClientEra {

    ProtocolRevision revision();

    /** Returns the session; empty in revisions without sessions. */
    Optional<ClientSession> findSession();

    /** Returns the HTTP status of the response to a request that ends with this error. */
    int status(ProtocolError error);

    /** Returns whether a request is cancelled when the client closes its connection. */
    boolean endsWithConnection();

    /**
     * Returns whether a client without a log level receives the log messages of servers for its
     * requests.
     */
    boolean getsLogsUnasked();

    /** Adds how long the client may cache the result, where the revision supports that. */
    ObjectNode withTimeToLive(ObjectNode result, Duration time);

    /** Translates an error of a server to the codes of the revision. */
    JsonRpcError translate(JsonRpcError error);

    /**
     * Checks the arguments that the client must repeat in headers.
     *
     * @throws ProtocolError when a header is missing, or differs from its argument
     */
    void checkHeaders(ParameterHeaders mirrored, JsonNode arguments, RequestHeaders headers);

    /**
     * Sends a request to a server, in one round or more.
     *
     * @param client answers the requests of the server between rounds, where the gateway makes them
     *     all
     * @throws ProtocolError when the client does not provide the input
     */
    CallOutcome makeRounds(
            ClientRequest request, RequestingClient client, MultiRoundTrip.Attempt attempt)
            throws InterruptedException;

    /**
     * Returns the result that asks for input, in the form for the client.
     *
     * @throws ProtocolError when the revision has no such results
     */
    ObjectNode inputRequired(ResourceKey server, ObjectNode result);

    /** Revisions that start with {@code initialize}. */
    record Legacy(ClientSession session) implements ClientEra {

        /** Reads a request in the session. */
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

        /**
         * Returns false: a client may lose its connection and still need the request to complete.
         */
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

        /** Makes all rounds, because the revision has none. */
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

    /** Revisions with independent requests. */
    record Modern(ProtocolRevision revision) implements ClientEra {

        private static final int RESOURCE_NOT_FOUND_BEFORE_2026 = -32002;

        /** Returns the era; empty for other revisions and for unknown versions. */
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

        /** Only users differ in their results; without users every cacheable one may be shared. */
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

        /** Makes one round; the client makes the next one. */
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
