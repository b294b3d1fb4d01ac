package dev.orloj.server.mcp.protocol;

import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.LogLevel;
import dev.orloj.runtime.observation.ServedRequest;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.server.authorization.Rights;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * A valid request of a client: its revision is supported, and its headers match its body.
 *
 * @param era the era of the client
 * @param params an empty object when there are none; {@code _meta} in them is an object if present
 */
public record ClientRequest(
        EndpointScope scope,
        ClientEra era,
        JsonNode id,
        String method,
        ObjectNode params,
        RequestHeaders headers) {

    public ProtocolRevision revision() {
        return era.revision();
    }

    /** Returns the session; empty in revisions without sessions. */
    public Optional<ClientSession> session() {
        return era.findSession();
    }

    /** Returns what the user of the request may see and use. */
    public Rights rights() {
        return headers.rights();
    }

    /** Describes the request for observers. */
    public ServedRequest observed() {
        return new ServedRequest.Mcp(
                method,
                revision().version(),
                session().map(ClientSession::id),
                id.asString(),
                scope.namespace(),
                scope.onlyServer(),
                params);
    }

    /** Returns the token that the client chose for progress notifications. */
    public Optional<JsonNode> progressToken() {
        JsonNode token = params.path(ReservedMeta.MEMBER).path(ReservedMeta.PROGRESS_TOKEN);
        return token.isString() || token.isNumber() ? Optional.of(token) : Optional.empty();
    }

    /** Returns the capabilities of the client, in a revision where each request declares them. */
    public ClientCapabilities capabilities() {
        return ClientCapabilities.of(
                params.path(ReservedMeta.MEMBER).path(ReservedMeta.CLIENT_CAPABILITIES));
    }

    /**
     * Returns the lowest log level that the client requests, in a revision where each request sets
     * it.
     *
     * @throws ProtocolError when it is not a level
     */
    public Optional<LogLevel> logLevel() {
        JsonNode level = params.path(ReservedMeta.MEMBER).path(ReservedMeta.LOG_LEVEL);
        return level.isMissingNode()
                ? Optional.empty()
                : Optional.of(logLevel(ReservedMeta.MEMBER + "." + ReservedMeta.LOG_LEVEL, level));
    }

    /** Reads a log level from a member of the params, given by its path. */
    public static LogLevel logLevel(String member, JsonNode level) {
        return LogLevel.of(level.asString(""))
                .orElseThrow(
                        () ->
                                ProtocolError.invalidParams(
                                        "\"params.%s\" must be one of %s, and is %s"
                                                .formatted(
                                                        member,
                                                        Stream.of(LogLevel.values())
                                                                .map(LogLevel::text)
                                                                .toList(),
                                                        level)));
    }

    /** Returns the session, for methods that only revisions with sessions have. */
    public ClientSession requiredSession() {
        return session().orElseThrow(() -> ProtocolError.methodNotFound(method));
    }

    /**
     * @throws ProtocolError when the member is missing, or not a string
     */
    public String requiredText(String member) {
        JsonNode value = params.path(member);
        if (!value.isString()) {
            throw ProtocolError.invalidParams(
                    "\"params.%s\" of \"%s\" must be a text".formatted(member, method));
        }
        return value.stringValue();
    }

    /**
     * @throws ProtocolError when the member is present and not an object
     */
    public static ObjectNode objectOf(
            @Nullable JsonNode value, String path, ObjectNode whenAbsent) {
        return switch (value) {
            case null -> whenAbsent;
            case ObjectNode object -> object;
            default ->
                    throw ProtocolError.invalidParams("\"%s\" must be an object".formatted(path));
        };
    }
}
