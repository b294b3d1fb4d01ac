package dev.orloj.runtime.examination;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/**
 * A result after its examination.
 *
 * @param result what the client gets; the result of the server itself if nothing was found
 * @param decision empty if nothing was found
 * @param refusal why an error replaces the result, for people; empty if the result passes
 */
public record ExaminedResult(
        ObjectNode result, Optional<ResultDecision> decision, Optional<String> refusal) {}
