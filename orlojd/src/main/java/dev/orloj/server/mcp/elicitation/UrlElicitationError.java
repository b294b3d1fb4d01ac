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
 * Converts the error of 2025-11-25 that lists the pages a user has to visit before the client
 * repeats the request (2025-11-25, Elicitation, "URL Elicitation Required Error"). A client of
 * 2026-07-28 gets a round of the request instead; the next one repeats it.
 */
public final class UrlElicitationError {

    private static final String ELICIT = "elicitation/create";

    /** Prefix of the request keys: a server of 2026-07-28 has keys of its own. */
    private static final String KEY = "orloj-url-";

    private UrlElicitationError() {}

    /** The elicitations of the error; empty when the server did not list them correctly. */
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
     * The error as an InputRequiredResult, for clients of 2026-07-28.
     *
     * @throws ProtocolError when the client cannot be asked
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
     * Whether the user refused to visit a page.
     *
     * @param responses of a client, to any request
     */
    static boolean isDeclined(JsonNode responses) {
        return responses.properties().stream()
                .filter(response -> response.getKey().startsWith(KEY))
                .map(Map.Entry::getValue)
                .anyMatch(response -> !response.path("action").asString("").equals("accept"));
    }
}
