package dev.orloj.api.codec;

import tools.jackson.databind.node.ObjectNode;

import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Where a kind keeps the numbers that its scale subresource shows.
 *
 * @param specReplicas JSON pointer of the wanted number
 * @param statusReplicas how many of a resource there are
 * @param selector the label selector of what is counted, for one resource
 */
public record Scale(
        String specReplicas,
        ToIntFunction<ObjectNode> statusReplicas,
        Function<ObjectNode, String> selector) {}
