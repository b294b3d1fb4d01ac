package dev.orloj.runtime.call;

import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.runtime.call.CallOutcome.Completed;
import dev.orloj.runtime.call.CallOutcome.InputRequired;
import dev.orloj.runtime.call.CallOutcome.Refused;
import dev.orloj.runtime.call.CallOutcome.ServerError;
import dev.orloj.runtime.call.CallOutcome.ServerUnavailable;
import dev.orloj.runtime.call.CallOutcome.TimedOut;
import dev.orloj.runtime.catalog.Refusal;
import dev.orloj.runtime.catalog.ServerEntry;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.limit.CallPermit;
import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.observation.CallObservation;
import dev.orloj.runtime.observation.CallTrace;
import dev.orloj.runtime.observation.CallTrace.Phase;
import dev.orloj.runtime.session.Session;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.SessionOpenException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.lifecycle.SessionClosedException;
import dev.orloj.runtime.subject.SubjectException;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.TransportException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Objects;
import java.util.Optional;

/**
 * Sends one request to a server within its limits, in a session that is opened if necessary, or
 * through the replica that owns the server's only session. Thread-safe.
 */
public final class ServerExchange {

    private static final String ELICIT = "elicitation/create";

    private final ToolCatalog catalog;
    private final SessionManager sessions;
    private final OtherReplicas replicas;

    public ServerExchange(ToolCatalog catalog, SessionManager sessions, OtherReplicas replicas) {
        this.catalog = catalog;
        this.sessions = sessions;
        this.replicas = replicas;
    }

    /**
     * @return the outcome; empty when the server was deleted or suspended in the meantime
     * @throws InterruptedException when the client's thread was interrupted; the server received a
     *     cancellation
     */
    Optional<CallOutcome> send(ServerEntry server, SessionRequest request)
            throws InterruptedException {
        Optional<OtherReplicas.Route> owner = ownerElsewhere(server.definition());
        if (owner.isEmpty()) {
            return sendHere(server, request);
        }
        // Without a permit: the limits of the owner count the calls of all replicas.
        request.observation().enter(Phase.FORWARDING);
        return Optional.of(owner.get().send(server.definition().server(), request));
    }

    private Optional<OtherReplicas.Route> ownerElsewhere(ServerDefinition server) {
        return server.sharing().singleton()
                ? sessions.singletons().ownerElsewhere().flatMap(replicas::find)
                : Optional.empty();
    }

    /** Sends as {@link #send} does, but in a session of this replica or not at all. */
    Optional<CallOutcome> sendHere(ServerEntry server, SessionRequest request)
            throws InterruptedException {
        ResourceKey name = server.definition().server();
        CallObservation observation = request.observation();
        observation.enter(Phase.QUEUE);
        try (CallPermit permit = server.permits().acquire()) {
            // The server may have changed while the call waited: the earlier session must not be
            // reopened.
            ServerEntry current = catalog.current(server).orElse(server);
            observation.enter(Phase.OPENING);
            try {
                Optional<CallOutcome> outcome =
                        sessions.withSession(
                                current.definition(),
                                request,
                                session -> ask(current, session, request));
                if (outcome.isEmpty()) {
                    // The server was removed while the session was being opened, so its removal
                    // found no session to close.
                    sessions.dismiss(name);
                    return Optional.empty();
                }
                permit.answered();
                return outcome;
            } catch (RuntimeException e) { // known failures become outcomes, others are rethrown
                return Optional.of(failure(current.definition(), permit, e));
            }
        } catch (LimitReachedException e) {
            return Optional.of(refused(McpServer.KIND, name, e));
        }
    }

    /** Returns empty when the server is gone. */
    private Optional<CallOutcome> ask(ServerEntry server, Session session, SessionRequest request)
            throws InterruptedException {
        if (catalog.current(server).isEmpty()) {
            return Optional.empty();
        }
        CallObservation observation = request.observation();
        observation.servedBy(
                new CallTrace.Peer(
                        session.toString(), session.pid(), session.identity().protocolVersion()));
        observation.enter(Phase.UPSTREAM);
        JsonNode result;
        try {
            result = session.call(request);
        } finally {
            // The phase in which a call continues after its session was found closed.
            observation.enter(Phase.OPENING);
        }
        return Optional.of(outcome(server, session, result));
    }

    /** Converts a failure to an outcome and records it in the limits of the server. */
    private static CallOutcome failure(
            ServerDefinition server, CallPermit permit, RuntimeException e) {
        if (e instanceof JsonRpcException answer) {
            permit.answered();
            return new ServerError(
                    server.server(),
                    permitted(server.server(), server.requestPolicy(), answer.error()));
        }
        return notDone(McpServer.KIND, server.server(), permit, e);
    }

    static Refused refused(Kind<?> kind, ResourceKey name, LimitReachedException e) {
        return new Refused(
                new Refusal(kind, name, e.why(), e.lastFailure()), e.limit(), e.retryAfter());
    }

    /**
     * Converts a failure that is not the server's own error, and records it in the limits.
     *
     * @param kind McpServer, or Tool for a declared tool
     * @param name the server, or the declared tool
     */
    static CallOutcome.NotDone notDone(
            Kind<?> kind, ResourceKey name, CallPermit permit, RuntimeException e) {
        return switch (e) {
            case RequestTimeoutException timeout ->
                    new TimedOut(name, timeout.after(), timeout.silent());
            case TransportException lost -> {
                permit.lost(lost);
                yield unavailable(kind, name, lost, lost.delivered());
            }
            case SessionOpenException unopened -> {
                if (unopened.getCause() instanceof LimitReachedException ceiling) {
                    // The process quota is exhausted, which does not indicate a problem of the
                    // server.
                    throw ceiling;
                }
                permit.lost(unopened);
                yield unavailable(kind, name, unopened, false);
            }
            // No failure of the server: it must not affect other users.
            case SubjectException refused ->
                    new CallOutcome.UserNotAuthorized(
                            new Refusal(kind, name, refused.why(), refused.detail()));
            case SessionClosedException closed -> unavailable(kind, name, closed, false);
            default -> throw e;
        };
    }

    private static ServerUnavailable unavailable(
            Kind<?> kind, ResourceKey name, RuntimeException e, boolean delivered) {
        return new ServerUnavailable(
                new Refusal(kind, name, ServerUnavailable.WHY, why(e)), delivered);
    }

    private static CallOutcome outcome(ServerEntry server, Session session, JsonNode result) {
        ResourceKey name = server.definition().server();
        if (!(result instanceof ObjectNode answer)) {
            return new ServerUnavailable(name, "the answer to the call is no object", true);
        }
        if (!InputRequired.isWantedBy(answer)) {
            return new Completed(answer);
        }
        if (ProtocolRevision.of(session.identity().protocolVersion())
                .filter(ProtocolRevision::isStateless)
                .isPresent()) {
            return inputRequired(name, server.definition().requestPolicy(), answer);
        }
        // The member has no meaning in the server's revision, and another one in that of the
        // client.
        answer.remove(InputRequired.RESULT_TYPE);
        return new Completed(answer);
    }

    /**
     * Checks the policy: requiring that the user visits a page is an elicitation (2025-11-25,
     * Elicitation).
     */
    private static JsonRpcError permitted(
            ResourceKey server, ServerRequestPolicy requestPolicy, JsonRpcError error) {
        return error.code() == JsonRpcError.URL_ELICITATION_REQUIRED
                        && requestPolicy.rejects(ELICIT)
                ? rejected(server, ELICIT)
                : error;
    }

    /**
     * Checks the policy: a server that sends requests without the capability for them is in error,
     * and the client does not receive them.
     */
    private static CallOutcome inputRequired(
            ResourceKey server, ServerRequestPolicy requestPolicy, ObjectNode requested) {
        return requested
                .path("inputRequests")
                .valueStream()
                .map(request -> request.path("method").asString(""))
                .filter(requestPolicy::rejects)
                .findFirst()
                .<CallOutcome>map(method -> new ServerError(server, rejected(server, method)))
                .orElseGet(() -> new InputRequired(server, requested));
    }

    private static JsonRpcError rejected(ResourceKey server, String method) {
        return new JsonRpcError(
                JsonRpcError.INTERNAL_ERROR,
                "Server \"%s\" asks \"%s\", which its spec.bridge rejects"
                        .formatted(server.name(), method),
                null);
    }

    private static String why(RuntimeException e) {
        return Objects.requireNonNullElseGet(e.getMessage(), e::toString);
    }
}
