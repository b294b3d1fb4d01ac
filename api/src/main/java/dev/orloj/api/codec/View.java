package dev.orloj.api.codec;

import tools.jackson.databind.node.ObjectNode;

import java.util.function.UnaryOperator;

/**
 * A second shape of the rows of a kind: the same uid, versions and labels under another API
 * version. The conversions are pure, each undoes the other, and metadata passes through as it is.
 *
 * @param stored the kind whose shape the rows have
 * @param fromStored makes the second shape; what it makes may share parts with what it is given
 * @param toStored makes the shape of the row; may share parts as well
 */
public record View(
        KindDescriptor<?> stored,
        UnaryOperator<ObjectNode> fromStored,
        UnaryOperator<ObjectNode> toStored) {

    public View {
        if (stored.view().isPresent()) {
            throw new IllegalArgumentException(
                    "%s is a view itself: take the kind that has rows".formatted(stored.kind()));
        }
    }
}
