package dev.orloj.runtime.examination;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/**
 * A result after its examination.
 *
 * @param result what the client gets; the result of the server itself if nothing was found
 * @param decision empty if nothing was found
 */
public record ExaminedResult(ObjectNode result, Optional<ResultDecision> decision) {}
