package dev.orloj.server.mcp.methods;

import dev.orloj.api.FieldError;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.CallOutcome.InputRequired;
import dev.orloj.runtime.catalog.Refusal;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.server.mcp.catalog.FeatureNames;
import dev.orloj.server.mcp.elicitation.UrlElicitationError;
import dev.orloj.server.mcp.elicitation.UrlElicitations;
import dev.orloj.server.mcp.protocol.ClientEra;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.protocol.ResultDowngrade;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Converts the outcome of a request to a server into the result or error for the client.
 * Thread-safe.
 */
public final class CallResults {

    private final UrlElicitations elicitations;

    public CallResults(UrlElicitations elicitations) {
        this.elicitations = elicitations;
    }

    /**
     * Returns the result in the client's revision, with the names of the endpoint.
     *
     * @param server that returned it
     * @param subject the tool, prompt or URI, as the client named it
     * @throws ProtocolError when there is no result
     */
    ObjectNode answer(
            ClientRequest request, ResourceKey server, String subject, CallOutcome outcome) {
        ObjectNode result = result(request, subject, outcome);
        return InputRequired.isWantedBy(result)
                ? result
                : FeatureNames.withUris(
                        request.scope(),
                        server,
                        ResultDowngrade.result(result, request.revision()));
    }

    /**
     * Returns the result as the server sent it.
     *
     * @param subject the tool, prompt or URI, as the client named it
     * @throws ProtocolError when there is no result
     */
    private ObjectNode result(ClientRequest request, String subject, CallOutcome outcome) {
        return switch (outcome) {
            case CallOutcome.Completed completed -> (ObjectNode) completed.result();
            case InputRequired(ResourceKey server, ObjectNode rest) ->
                    request.era().inputRequired(server, rest);
            case CallOutcome.ServerError(ResourceKey server, JsonRpcError error)
                    when error.code() == JsonRpcError.URL_ELICITATION_REQUIRED ->
                    urlElicitationRequired(request, server, error);
            case CallOutcome.ServerError(ResourceKey _, JsonRpcError error) ->
                    throw ProtocolError.ofServer(request.era().translate(error));
            case CallOutcome.InvalidArguments(ResourceKey _, List<FieldError> errors)
                    when request.revision().showsWrongArgumentsToModels() ->
                    shown(wrongArguments(subject, errors));
            case CallOutcome.NotDone failure -> throw notDone(request, subject, failure);
        };
    }

    private static ProtocolError notDone(
            ClientRequest request, String subject, CallOutcome.NotDone failure) {
        return switch (failure) {
            case CallOutcome.ToolNotFound _ -> ProtocolError.unknown(subject);
            case CallOutcome.InvalidArguments(ResourceKey _, List<FieldError> errors) ->
                    ProtocolError.invalidParams(wrongArguments(subject, errors));
            case CallOutcome.ToolNotCallable(ResourceKey _, String why) ->
                    internal(failure, "\"%s\" cannot be called: %s".formatted(subject, why));
            case CallOutcome.ServerRefused refused ->
                    internal(failure, serverRefused(request, subject, refused));
            case CallOutcome.DefinitionHeld(ResourceKey _, String why) ->
                    ProtocolError.invalidParams(why);
            case CallOutcome.UserNotAuthorized(Refusal refusal) ->
                    ProtocolError.invalidParams(
                            "Server \"%s\" was not called for you: %s"
                                    .formatted(refusal.key().name(), text(request, refusal)));
            case CallOutcome.ServerUnavailable(Refusal refusal, boolean delivered) ->
                    internal(
                            failure,
                            "Server \"%s\" %s; the request %s"
                                    .formatted(
                                            refusal.key().name(),
                                            text(request, refusal),
                                            delivered
                                                    ? "may have been carried out"
                                                    : "was not carried out"));
            case CallOutcome.TimedOut(ResourceKey server, Duration after, boolean silent) ->
                    internal(
                            failure,
                            "Server \"%s\" did not %s within %d ms; the request was cancelled"
                                    .formatted(
                                            server.name(),
                                            silent ? "answer or report progress" : "answer",
                                            after.toMillis()));
            case CallOutcome.Refused refused -> limited(request, refused);
            case CallOutcome.Cancelled() -> internal(failure, "The request was cancelled");
        };
    }

    private static String serverRefused(
            ClientRequest request, String subject, CallOutcome.ServerRefused refused) {
        Refusal refusal = refused.refusal();
        String why = text(request, refusal);
        return refused.tool().isPresent()
                ? "\"%s\" cannot be called: its server \"%s\" %s"
                        .formatted(subject, refusal.key(), why)
                : "Server \"%s\" is unavailable: it %s; the request was not carried out"
                        .formatted(refusal.key().name(), why);
    }

    private static String text(ClientRequest request, Refusal refusal) {
        return refusal.text(request.rights()::read);
    }

    private static String wrongArguments(String subject, List<FieldError> errors) {
        return "The arguments of \"%s\" are not valid: %s"
                .formatted(
                        subject,
                        errors.stream()
                                .map(FieldError::toString)
                                .collect(Collectors.joining("; ")));
    }

    /** Returns a message as a result: a model that sees it can correct its arguments. */
    private static ObjectNode shown(String message) {
        ObjectNode result = Json.MAPPER.createObjectNode();
        result.putArray("content").addObject().put("type", "text").put("text", message);
        return result.put("isError", true);
    }

    /**
     * Returns a result that asks for the input in revisions with rounds; otherwise throws the
     * error, which the client may follow up.
     */
    private ObjectNode urlElicitationRequired(
            ClientRequest request, ResourceKey server, JsonRpcError error) {
        return switch (request.era()) {
            case ClientEra.Modern _ -> UrlElicitationError.inputRequired(request, error);
            case ClientEra.Legacy(ClientSession session) -> {
                UrlElicitationError.elicitations(error)
                        .forEach(each -> elicitations.asked(server, session, each));
                throw ProtocolError.ofServer(error);
            }
        };
    }

    private static ProtocolError limited(ClientRequest request, CallOutcome.Refused refused) {
        ObjectNode data = reason(refused);
        data.put("limit", refused.limit().label());
        data.put("retryAfterMs", refused.retryAfter().toMillis());
        return ProtocolError.internal(
                "Server \"%s\" was not asked: %s; try again in %d ms"
                        .formatted(
                                refused.refusal().key().name(),
                                text(request, refused.refusal()),
                                refused.retryAfter().toMillis()),
                data);
    }

    private static ProtocolError internal(CallOutcome.NotDone failure, String message) {
        return ProtocolError.internal(message, reason(failure));
    }

    private static ObjectNode reason(CallOutcome.NotDone failure) {
        return Json.MAPPER.createObjectNode().put("reason", failure.label());
    }
}
