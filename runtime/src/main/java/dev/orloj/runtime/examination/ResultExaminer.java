package dev.orloj.runtime.examination;

import dev.orloj.api.ResourceKey;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/**
 * Applies the {@code result_policy} of a server to the result of a request. What is done is always
 * in the {@code _meta} of the result. Results beyond {@link ResultWalk#MAX_TEXT} characters of text
 * or {@link ResultWalk#MAX_DEPTH} levels are not examined to their end: with {@link
 * ResultPolicy#WARN} they pass, otherwise they are blocked.
 */
public final class ResultExaminer {

    /** The member of {@code _meta} that says what was done. */
    static final String META_KEY = "orloj.dev/result-policy";

    private ResultExaminer() {}

    /**
     * Examines a result.
     *
     * @param policy not {@link ResultPolicy#OFF}
     * @param server for the words of an error
     * @param request what the server was asked for, such as {@code tool "x"}; for the words of an
     *     error
     * @param result not modified
     */
    public static ExaminedResult examine(
            ResultPolicy policy, ResourceKey server, String request, ObjectNode result) {
        ResultWalk walk = new ResultWalk();
        ObjectNode stripped = walk.walk(result);
        if (walk.findings().isEmpty()) {
            return new ExaminedResult(result, Optional.empty(), Optional.empty());
        }
        boolean isUnsure = walk.isAmbiguous() || walk.findings().has(FindingKind.NOT_EXAMINED);
        ResultPolicy action =
                policy == ResultPolicy.STRIP && isUnsure ? ResultPolicy.BLOCK : policy;
        ResultDecision decision = new ResultDecision(policy, action, walk.findings().findings());
        Optional<String> refusal =
                action == ResultPolicy.BLOCK
                        ? Optional.of(refusal(decision, walk.isAmbiguous(), server, request))
                        : Optional.empty();
        ObjectNode shown =
                switch (action) {
                    case OFF, WARN -> result;
                    case STRIP -> stripped;
                    case BLOCK -> error(refusal.orElseThrow());
                };
        return new ExaminedResult(withNote(shown, decision), Optional.of(decision), refusal);
    }

    private static String refusal(
            ResultDecision decision, boolean isAmbiguous, ResourceKey server, String request) {
        String remedy =
                "Have the server leave this out of its results, or set result_policy to warn";
        if (decision.policy() == ResultPolicy.BLOCK) {
            remedy += " or strip";
        }
        String why = isAmbiguous ? "; two fields of an object have the same name without it" : "";
        return "Orloj blocked the result of %s of server \"%s\". It has: %s%s. spec.result_policy of the server is %s. %s."
                .formatted(
                        request,
                        server.name(),
                        decision.words(),
                        why,
                        decision.policy().wireName(),
                        remedy);
    }

    private static ObjectNode error(String text) {
        ObjectNode error = JsonNodeFactory.instance.objectNode();
        error.putArray("content").addObject().put("type", "text").put("text", text);
        return error.put("isError", true);
    }

    /** Copies what it changes; all other nodes are those of the result. */
    private static ObjectNode withNote(ObjectNode result, ResultDecision decision) {
        ObjectNode noted = copy(result);
        ObjectNode meta =
                result.get("_meta") instanceof ObjectNode given
                        ? copy(given)
                        : JsonNodeFactory.instance.objectNode();
        meta.set(META_KEY, decision.toDocument());
        noted.set("_meta", meta);
        return noted;
    }

    private static ObjectNode copy(ObjectNode object) {
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        object.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
        return copy;
    }
}
