package dev.orloj.server.calls;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.Json;
import dev.orloj.server.store.StoredCall.State;

import tools.jackson.databind.JsonNode;

/**
 * Holds the outcome of a call.
 *
 * @param document the result, or the Status that explains why there is none
 * @param made whether the call may have been executed; if not, its key can be used for another
 *     attempt
 */
public record CallAnswer(State state, JsonNode document, boolean made) {

    public static CallAnswer completed(JsonNode result) {
        return new CallAnswer(State.Completed, result, true);
    }

    public static CallAnswer failed(ApiException e, boolean made) {
        return new CallAnswer(State.Failed, Json.MAPPER.valueToTree(e.toStatus()), made);
    }

    static CallAnswer broken(State state, String why) {
        return new CallAnswer(
                state,
                Json.MAPPER.valueToTree(
                        new ApiException(
                                        ErrorReason.SERVICE_UNAVAILABLE,
                                        why + "; the call may have been carried out")
                                .toStatus()),
                true);
    }

    /** Omits the result, which may be secret and long. */
    @Override
    public String toString() {
        return "CallAnswer[" + state + "]";
    }
}
