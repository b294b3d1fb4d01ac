package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.call.CallOutcome.Completed;
import dev.orloj.runtime.call.CallOutcome.InputRequired;
import dev.orloj.runtime.call.CallOutcome.Refused;
import dev.orloj.runtime.call.CallOutcome.ServerError;
import dev.orloj.runtime.call.CallOutcome.ServerUnavailable;
import dev.orloj.runtime.call.CallOutcome.TimedOut;
import dev.orloj.runtime.catalog.ServerEntry;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.limit.CallPermit;
import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.session.Session;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.SessionOpenException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.lifecycle.SessionClosedException;
import dev.orloj.runtime.trace.CallTrace;
import dev.orloj.runtime.trace.CallTrace.Phase;
import dev.orloj.runtime.trace.CallTracer;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.TransportException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Objects;
import java.util.Optional;

/**
 * One request to a server, as soon as its limits let it, in a session that is opened when there is
 * none; or at the replica that owns its one session. Thread-safe.
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
     * @return what came of it; empty when the server was deleted or suspended meanwhile
     * @throws InterruptedException when the caller's thread was interrupted; the server was told
     */
    Optional<CallOutcome> send(ServerEntry server, SessionRequest request)
            throws InterruptedException {
        Optional<OtherReplicas.Route> owner = ownerElsewhere(server.definition());
        if (owner.isEmpty()) {
            return sendHere(server, request);
        }
        // No permit: the limits of the owner count the calls of all replicas.
        CallTracer.current().enter(Phase.FORWARDING);
        return Optional.of(owner.get().send(server.definition().server(), request));
    }

    private Optional<OtherReplicas.Route> ownerElsewhere(ServerDefinition server) {
        return server.singleton()
                ? sessions.singletons().ownerElsewhere().flatMap(replicas::find)
                : Optional.empty();
    }

    /** As {@link #send}, in a session of this replica or not at all. */
    Optional<CallOutcome> sendHere(ServerEntry server, SessionRequest request)
            throws InterruptedException {
        ResourceKey name = server.definition().server();
        CallTracer.current().enter(Phase.QUEUE);
        try (CallPermit permit = server.permits().acquire()) {
            // It may have changed while the call waited: the session of before is not to come back.
            ServerEntry current = catalog.findServer(name).orElse(server);
            return send(current, request, permit);
        } catch (LimitReachedException e) {
            return Optional.of(new Refused(name, e.limit(), e.getMessage(), e.retryAfter()));
        }
    }

    private Optional<CallOutcome> send(
            ServerEntry server, SessionRequest request, CallPermit permit)
            throws InterruptedException {
        ResourceKey name = server.definition().server();
        try {
            Optional<CallOutcome> outcome = ask(server, request);
            if (outcome.isEmpty()) {
                // Gone while the session was being opened: whoever did it saw none to close.
                sessions.dismiss(name);
                return Optional.empty();
            }
            permit.answered();
            return outcome;
        } catch (JsonRpcException e) {
            permit.answered();
            return Optional.of(
                    new ServerError(
                            name, permitted(name, server.definition().requestPolicy(), e.error())));
        } catch (RequestTimeoutException e) {
            return Optional.of(new TimedOut(name, e.after(), e.silent()));
        } catch (TransportException e) {
            permit.lost(e);
            return Optional.of(new ServerUnavailable(name, why(e), e.delivered()));
        } catch (SessionOpenException e) {
            if (e.getCause() instanceof LimitReachedException ceiling) {
                // There is no room for its process, which says nothing against the server.
                throw ceiling;
            }
            permit.lost(e);
            return Optional.of(new ServerUnavailable(name, why(e), false));
        } catch (SessionClosedException e) {
            return Optional.of(new ServerUnavailable(name, why(e), false));
        }
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
        // Means nothing in the server's revision, and something else in that of the agent.
        answer.remove(InputRequired.RESULT_TYPE);
        return new Completed(answer);
    }

    /** To demand that a page is visited is to ask for it (2025-11-25, Elicitation). */
    private static JsonRpcError permitted(
            ResourceKey server, ServerRequestPolicy requestPolicy, JsonRpcError error) {
        return error.code() == JsonRpcError.URL_ELICITATION_REQUIRED
                        && requestPolicy.rejects(ELICIT)
                ? rejected(server, ELICIT)
                : error;
    }

    /** A server that asks what it was not told that it may is in error, and nobody is asked. */
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

    /** Empty when the server is gone. */
    private Optional<CallOutcome> ask(ServerEntry server, SessionRequest request)
            throws InterruptedException {
        CallTracer tracer = CallTracer.current();
        ResourceKey name = server.definition().server();
        tracer.enter(Phase.OPENING);
        return sessions.withSession(
                server.definition(),
                request,
                session ->
                        catalog.findServer(name).isPresent()
                                ? Optional.of(
                                        outcome(server, session, call(session, request, tracer)))
                                : Optional.empty());
    }

    private static JsonNode call(Session session, SessionRequest request, CallTracer tracer)
            throws InterruptedException {
        tracer.servedBy(
                new CallTrace.Peer(
                        session.toString(), session.pid(), session.identity().protocolVersion()));
        tracer.enter(Phase.UPSTREAM);
        try {
            return session.call(request);
        } finally {
            // Where a call that found its session gone goes on.
            tracer.enter(Phase.OPENING);
        }
    }

    private static String why(RuntimeException e) {
        return Objects.requireNonNullElseGet(e.getMessage(), e::toString);
    }
}
