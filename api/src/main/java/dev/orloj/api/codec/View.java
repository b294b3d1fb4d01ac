package dev.orloj.api.codec;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A second shape of the rows of a kind: the same uid, versions and labels under another API
 * version. The conversions are pure, each undoes the other, and metadata passes through as it is.
 *
 * @param stored the kind whose shape the rows have
 * @param fromStored makes the second shape; what it makes may share parts with what it is given
 * @param toStored makes the shape of the row; may share parts as well
 * @param place where in the row a field of the second shape stands, as the names that lead there
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
