package dev.orloj.server.mcp.protocol;

import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.LogLevel;
import dev.orloj.runtime.transport.ProtocolRevision;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * A request of an agent that may be answered: its revision is spoken, and what its headers say is
 * what it says.
 *
 * @param session empty in revisions without sessions
 * @param params an empty object when there are none; {@code _meta} in them is an object if there
 */
public record ClientRequest(
        EndpointScope scope,
        ProtocolRevision revision,
        Optional<ClientSession> session,
        JsonNode id,
        String method,
        ObjectNode params,
        RequestHeaders headers) {

    /** The token under which the agent wants to hear of progress. */
    public Optional<JsonNode> progressToken() {
        JsonNode token = params.path(ReservedMeta.MEMBER).path(ReservedMeta.PROGRESS_TOKEN);
        return token.isString() || token.isNumber() ? Optional.of(token) : Optional.empty();
    }

    /**
     * What the agent declared that it can be asked for, in a revision where each request says so.
     */
    public ClientCapabilities capabilities() {
        return ClientCapabilities.of(
                params.path(ReservedMeta.MEMBER).path(ReservedMeta.CLIENT_CAPABILITIES));
    }

    /**
     * From which level on the agent wants to hear what is logged for the request, in a revision
     * where each request says so.
     *
     * @throws ProtocolError when it is no level
     */
    public Optional<LogLevel> logLevel() {
        JsonNode level = params.path(ReservedMeta.MEMBER).path(ReservedMeta.LOG_LEVEL);
        return level.isMissingNode()
                ? Optional.empty()
                : Optional.of(logLevel(ReservedMeta.MEMBER + "." + ReservedMeta.LOG_LEVEL, level));
    }

    /** The log level that a member of the params, by its path in them, holds. */
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

    /** Of methods that only revisions with sessions have. */
    public ClientSession requiredSession() {
        return session.orElseThrow(() -> ProtocolError.methodNotFound(method));
    }

    /**
     * @throws ProtocolError when it is not there, or no text
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
     * @throws ProtocolError when it is there and no object
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
