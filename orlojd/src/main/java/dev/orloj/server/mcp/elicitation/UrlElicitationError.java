package dev.orloj.server.mcp.elicitation;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.call.CallOutcome.InputRequired;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.MultiRoundTrip;
import dev.orloj.server.mcp.protocol.ProtocolError;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The error of 2025-11-25 that says which pages a user has to visit before the request can be made
 * again (2025-11-25, Elicitation, "URL Elicitation Required Error"). An agent of 2026-07-28 is
 * asked in a round of the request instead; the next one makes it again.
 */
public final class UrlElicitationError {

    private static final String ELICIT = "elicitation/create";

    /** Of the keys of what is asked: a server of 2026-07-28 has keys of its own. */
    private static final String KEY = "orloj-url-";

    private UrlElicitationError() {}

    /** What the agent has to be asked; empty when the server did not say that well. */
    public static List<ObjectNode> elicitations(JsonRpcError error) {
        List<ObjectNode> found = new ArrayList<>();
        JsonNode data = error.data();
        if (data != null) {
            for (JsonNode each : data.path("elicitations")) {
                if (each instanceof ObjectNode elicitation
                        && elicitation.path("mode").asString("").equals("url")) {
                    found.add(elicitation);
                }
            }
        }
        return found;
    }

    /**
     * The error, as an agent of 2026-07-28 is told of it.
     *
     * @throws ProtocolError when the agent cannot be asked
     */
    public static ObjectNode inputRequired(ClientRequest request, JsonRpcError error) {
        List<ObjectNode> elicitations = elicitations(error);
        if (elicitations.isEmpty() || !MultiRoundTrip.METHODS.contains(request.method())) {
            throw ProtocolError.internal(error.message(), error.data());
        }
        ObjectNode result =
                Json.MAPPER
                        .createObjectNode()
                        .put(InputRequired.RESULT_TYPE, InputRequired.INPUT_REQUIRED);
        ObjectNode requests = result.putObject(MultiRoundTrip.REQUESTS);
        for (ObjectNode elicitation : elicitations) {
            if (!request.capabilities().allow(ELICIT, elicitation)) {
                throw ProtocolError.missingUrlElicitation(error.message());
            }
            requests.putObject(KEY + (requests.size() + 1))
                    .put("method", ELICIT)
                    .set("params", elicitation.deepCopy().without(MultiRoundTrip.ELICITATION_ID));
        }
        return result;
    }

    /**
     * Whether the user does not want to visit a page.
     *
     * @param responses of an agent, to whatever it was asked
     */
    static boolean isDeclined(JsonNode responses) {
        return responses.properties().stream()
                .filter(response -> response.getKey().startsWith(KEY))
                .map(Map.Entry::getValue)
                .anyMatch(response -> !response.path("action").asString("").equals("accept"));
    }
}
