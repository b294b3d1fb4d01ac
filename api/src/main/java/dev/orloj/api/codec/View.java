package dev.orloj.api.codec;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A second shape of the rows of a kind: the same uid, versions, and labels under another API
 * version. The conversions are pure and inverse to each other. They do not change the metadata.
 *
 * @param stored the kind whose shape the rows have
 * @param fromStored converts to the second shape; the result may share parts with its input
 * @param toStored converts to the shape of the row; may share parts as well
 * @param place returns the position in the row of a field of the second shape, as the names that
 *     lead there
 */
public record View(
        KindDescriptor<?> stored,
        UnaryOperator<ObjectNode> fromStored,
        UnaryOperator<ObjectNode> toStored,
        Function<String, List<String>> place) {

    public View {
        if (stored.view().isPresent()) {
            throw new IllegalArgumentException(
                    "%s is a view itself: take the kind that has rows".formatted(stored.kind()));
        }
    }
}
