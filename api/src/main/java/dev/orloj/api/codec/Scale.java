package dev.orloj.api.codec;

import tools.jackson.databind.node.ObjectNode;

import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Locates the numbers for the scale subresource of a kind.
 *
 * @param specReplicas JSON pointer of the desired number
 * @param statusReplicas the observed number of replicas
 * @param selector the label selector of the replicas of one resource
 */
public record Scale(
        String specReplicas,
        ToIntFunction<ObjectNode> statusReplicas,
        Function<ObjectNode, String> selector) {}
