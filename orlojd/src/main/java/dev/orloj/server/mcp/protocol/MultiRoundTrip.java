package dev.orloj.server.mcp.protocol;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.CallOutcome.InputRequired;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.jsonrpc.JsonRpcException;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Runs the rounds of a request whose server needs more input (2026-07-28, "Multi Round-Trip
 * Requests").
 */
public final class MultiRoundTrip {

    /** Methods whose requests may have several rounds. */
    public static final Set<String> METHODS = Set.of("tools/call", "prompts/get", "resources/read");

    public static final String REQUESTS = "inputRequests";
    public static final String RESPONSES = "inputResponses";
    public static final String STATE = "requestState";

    public static final String ELICITATION_ID = "elicitationId";

    /** The members of the params of a request that belong to its later rounds. */
    public static final Set<String> MEMBERS = Set.of(RESPONSES, STATE);

    /** Limits the rounds of a server that keeps asking for input. */
    private static final int MOST = 10;

    /** Makes one round of a request. */
    @FunctionalInterface
    public interface Attempt {

        /**
         * @param members added to the params in this round
         */
        CallOutcome make(ObjectNode members) throws InterruptedException;
    }

    private MultiRoundTrip() {}

    /**
     * Makes the rounds after the first for a client whose revision has no rounds, with requests to
     * the client between them.
     *
     * @throws ProtocolError when the client does not provide the input
     */
    static CallOutcome makeFurther(InputRequired first, RequestingClient client, Attempt attempt)
            throws InterruptedException {
        CallOutcome outcome = first;
        for (int asked = 0;
                outcome instanceof InputRequired(ResourceKey server, ObjectNode requested); ) {
            if (asked++ == MOST) {
                throw ProtocolError.internal(
                        "Server \"%s\" still needs input after %d rounds"
                                .formatted(server.name(), MOST),
                        null);
            }
            outcome = attempt.make(nextRound(server, requested, client));
        }
        return outcome;
    }

    private static ObjectNode nextRound(
            ResourceKey server, ObjectNode requested, RequestingClient client)
            throws InterruptedException {
        ObjectNode members = Json.MAPPER.createObjectNode();
        if (requested.path(REQUESTS) instanceof ObjectNode requests) {
            ObjectNode responses = members.putObject(RESPONSES);
            for (Map.Entry<String, JsonNode> request : requests.properties()) {
                responses.set(request.getKey(), ask(server, request.getValue(), client));
            }
        }
        JsonNode state = requested.get(STATE);
        if (state != null) {
            members.set(STATE, state);
        }
        return members;
    }

    private static JsonNode ask(ResourceKey server, JsonNode request, RequestingClient client)
            throws InterruptedException {
        String method = request.path("method").asString("");
        JsonNode params = request.get("params");
        if (!client.capabilities().allow(method, params)) {
            throw ProtocolError.internal(
                    "Server \"%s\" asks \"%s\", which was not declared to it"
                            .formatted(server.name(), method),
                    null);
        }
        try {
            return client.ask(server, method, inOlderWords(params));
        } catch (JsonRpcException e) {
            throw ProtocolError.internal(
                    "What server \"%s\" asks with \"%s\" was not answered: %s"
                            .formatted(server.name(), method, e.error().message()),
                    null);
        }
    }

    /** Adds the id that elicitation by URL had in 2025-11-25 (Elicitation, "URL Mode"). */
    private static @Nullable JsonNode inOlderWords(@Nullable JsonNode params) {
        if (!(params instanceof ObjectNode elicitation)
                || !elicitation.path("mode").asString("").equals("url")
                || elicitation.has(ELICITATION_ID)) {
            return params;
        }
        return elicitation.deepCopy().put(ELICITATION_ID, UUID.randomUUID().toString());
    }

    /** Returns the members that a client sends in a later round; empty in the first. */
    static ObjectNode members(ClientRequest request) {
        ObjectNode members = Json.MAPPER.createObjectNode();
        if (METHODS.contains(request.method())) {
            for (String name : MEMBERS) {
                JsonNode member = request.params().get(name);
                if (member != null) {
                    members.set(name, member);
                }
            }
        }
        return members;
    }
}
