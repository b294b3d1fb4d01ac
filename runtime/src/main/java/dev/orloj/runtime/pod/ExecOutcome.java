package dev.orloj.runtime.pod;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.workload.ExitStatus;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * What the API server reported as the end of a program in a Pod.
 *
 * @param code the exit code; negative if there is none
 * @param failure why the program could not be run; empty if it ran
 */
record ExecOutcome(int code, String failure) {

    /** Nothing was reported: the connection was lost, or the Pod ended. */
    static final ExecOutcome NONE = new ExecOutcome(-1, "");

    /**
     * @param status a {@code Status} of Kubernetes as JSON; empty if there was none
     */
    static ExecOutcome parse(String status) {
        JsonNode parsed;
        try {
            parsed = Json.MAPPER.readTree(status);
        } catch (JacksonException e) {
            return NONE;
        }
        if (parsed.path("status").asString("").equals("Success")) {
            return new ExecOutcome(0, "");
        }
        for (JsonNode cause : parsed.at("/details/causes")) {
            String text = cause.path("message").asString("");
            if (cause.path("reason").asString("").equals("ExitCode") && text.matches("\\d{1,3}")) {
                return new ExecOutcome(Integer.parseInt(text), "");
            }
        }
        String message = parsed.path("message").asString("");
        return message.isEmpty() ? NONE : new ExecOutcome(-1, message);
    }

    ExitStatus exit() {
        return new ExitStatus(code, false, failure);
    }

    boolean isKnown() {
        return code >= 0 || !failure.isEmpty();
    }

    /** Returns whether the end of the Pod may be the cause. */
    boolean mayBeOfThePod() {
        return !isKnown() || exit().signal().isPresent();
    }
}
