package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.validation.FieldError;
import dev.orloj.api.validation.FieldPath;
import dev.orloj.runtime.call.CallOutcome.Completed;
import dev.orloj.runtime.call.CallOutcome.InvalidArguments;
import dev.orloj.runtime.call.CallOutcome.Refused;
import dev.orloj.runtime.call.CallOutcome.ServerError;
import dev.orloj.runtime.call.CallOutcome.ServerUnavailable;
import dev.orloj.runtime.call.CallOutcome.TimedOut;
import dev.orloj.runtime.call.CallOutcome.ToolNotCallable;
import dev.orloj.runtime.call.CallOutcome.ToolNotFound;
import dev.orloj.runtime.catalog.ServerEntry;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.limit.CallPermit;
import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.result.ResultLimiter;
import dev.orloj.runtime.session.ServerDefinition;
import dev.orloj.runtime.session.SessionClosedException;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.SessionOpenException;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.TransportException;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The whole of one tool call. Thread-safe. */
public final class ToolCaller {

    private final ToolCatalog catalog;
    private final SessionManager sessions;
    private final ResultLimiter results;
    private final CallListener listener;
    private final InstantSource clock;
    private final ArgumentCheck argumentCheck = new ArgumentCheck();

    public ToolCaller(
            ToolCatalog catalog,
            SessionManager sessions,
            ResultLimiter results,
            CallListener listener,
            InstantSource clock) {
        this.catalog = catalog;
        this.sessions = sessions;
        this.results = results;
        this.listener = listener;
        this.clock = clock;
    }

    /**
     * Finds the tool, checks the arguments, and calls it in a session that is opened when there is
     * none, as soon as the limits of the server let it. The timeout is the request's, else the
     * tool's, else the server's; it counts neither the wait for other calls nor the opening, which
     * have limits of their own.
     *
     * @throws InterruptedException when the caller's thread was interrupted; the server was told
     */
    public CallOutcome call(CallRequest request) throws InterruptedException {
        Instant startedAt = clock.instant();
        long began = System.nanoTime();
        ToolEntry entry = catalog.findTool(request.tool()).orElse(null);
        CallOutcome outcome;
        try {
            outcome = entry == null ? new ToolNotFound(request.tool()) : call(request, entry);
        } catch (InterruptedException e) {
            record(request, entry, startedAt, began, new CallOutcome.Cancelled());
            throw e;
        }
        record(request, entry, startedAt, began, outcome);
        return outcome;
    }

    private CallOutcome call(CallRequest request, ToolEntry entry) throws InterruptedException {
        ServerEntry server = catalog.findServer(entry.server()).orElse(null);
        if (server == null) {
            return notCallable(entry);
        }
        JsonNode given = request.arguments();
        if (given.isMissingNode()) {
            given = JsonNodeFactory.instance.objectNode();
        }
        if (!(given instanceof ObjectNode arguments)) {
            return new InvalidArguments(
                    entry.tool(),
                    List.of(
                            FieldError.typeInvalid(
                                    FieldPath.of("arguments"),
                                    Violations.shown(given),
                                    "must be an object, such as {\"name\": \"value\"}")));
        }
        List<FieldError> errors = argumentCheck.check(entry, arguments);
        return errors.isEmpty()
                ? send(entry, server, arguments, timeout(request, entry, server.definition()))
                : new InvalidArguments(entry.tool(), errors);
    }

    private CallOutcome send(
            ToolEntry entry, ServerEntry server, ObjectNode arguments, Duration timeout)
            throws InterruptedException {
        try (CallPermit permit = server.permits().acquire()) {
            // It may have changed while the call waited: the session of before is not to come back.
            ServerEntry current = catalog.findServer(entry.server()).orElse(server);
            return send(entry, current.definition(), arguments, timeout, permit);
        } catch (LimitReachedException e) {
            return new Refused(entry.server(), e.limit(), e.getMessage(), e.retryAfter());
        }
    }

    private CallOutcome send(
            ToolEntry entry,
            ServerDefinition server,
            ObjectNode arguments,
            Duration timeout,
            CallPermit permit)
            throws InterruptedException {
        ResourceKey name = entry.server();
        try {
            Optional<JsonNode> result = ask(entry, server, arguments, timeout);
            if (result.isEmpty()) {
                // Deleted or suspended while the session was being opened: who did so saw none.
                sessions.dismiss(name);
                return catalog.findRefusal(name).isPresent()
                        ? notCallable(entry)
                        : new ToolNotFound(entry.tool());
            }
            permit.answered();
            return result.get() instanceof ObjectNode answer
                    ? new Completed(
                            results.limit(
                                    entry.tool(), answer, entry.output().orElse(server.output())))
                    : new ServerUnavailable(name, "the answer to the call is no object", true);
        } catch (JsonRpcException e) {
            permit.answered();
            return new ServerError(name, e.error());
        } catch (RequestTimeoutException e) {
            return new TimedOut(name, e.after(), e.silent());
        } catch (TransportException e) {
            permit.lost(e);
            return new ServerUnavailable(name, why(e), e.delivered());
        } catch (SessionOpenException e) {
            if (e.getCause() instanceof LimitReachedException ceiling) {
                return new Refused(
                        name, ceiling.limit(), ceiling.getMessage(), ceiling.retryAfter());
            }
            permit.lost(e);
            return new ServerUnavailable(name, why(e), false);
        } catch (SessionClosedException e) {
            return new ServerUnavailable(name, why(e), false);
        }
    }

    private ToolNotCallable notCallable(ToolEntry entry) {
        String why =
                catalog.findRefusal(entry.server()).orElse("is not there, or was not accepted");
        return new ToolNotCallable(
                entry.tool(), "its server \"%s\" %s".formatted(entry.server(), why));
    }

    /** Empty when the server is gone. */
    private Optional<JsonNode> ask(
            ToolEntry entry, ServerDefinition server, ObjectNode arguments, Duration timeout)
            throws InterruptedException {
        return sessions.withSession(
                server,
                session ->
                        catalog.findServer(entry.server()).isPresent()
                                ? Optional.of(
                                        session.callTool(entry.mcpToolName(), arguments, timeout))
                                : Optional.empty());
    }

    private static Duration timeout(CallRequest request, ToolEntry entry, ServerDefinition server) {
        return request.timeout().or(entry::timeout).orElse(server.callTimeout());
    }

    private void record(
            CallRequest request,
            @Nullable ToolEntry entry,
            Instant startedAt,
            long began,
            CallOutcome outcome) {
        listener.called(
                new CallRecord(
                        request.caller(),
                        request.tool(),
                        entry == null ? Optional.empty() : Optional.of(entry.server()),
                        startedAt,
                        Duration.ofNanos(System.nanoTime() - began),
                        outcome.label()));
    }

    private static String why(RuntimeException e) {
        return Objects.requireNonNullElseGet(e.getMessage(), e::toString);
    }
}
