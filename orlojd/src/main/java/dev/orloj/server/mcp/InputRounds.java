package dev.orloj.server.mcp;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.node.ObjectNode;

import java.util.Set;

/**
 * The rounds of a request whose server wants to know more (2026-07-28, "Multi Round-Trip
 * Requests").
 */
final class InputRounds {

    /** Methods whose requests may have several. */
    static final Set<String> METHODS = Set.of("tools/call", "prompts/get", "resources/read");

    static final String RESPONSES = "inputResponses";
    static final String STATE = "requestState";

    /** The members of the params of a request that belong to its later rounds. */
    static final Set<String> MEMBERS = Set.of(RESPONSES, STATE);

    private InputRounds() {}

    /** What an agent sends in a later round; nothing in the first, or where there are none. */
    static ObjectNode of(AgentRequest request) {
        ObjectNode members = Json.MAPPER.createObjectNode();
        if (request.revision().isStateless() && METHODS.contains(request.method())) {
            request.params().properties().stream()
                    .filter(member -> MEMBERS.contains(member.getKey()))
                    .forEach(member -> members.set(member.getKey(), member.getValue()));
        }
        return members;
    }

    /** Whether a result is none yet, but wants another round. */
    static boolean isWantedBy(ObjectNode result) {
        return result.path("resultType").asString("").equals("input_required");
    }
}
