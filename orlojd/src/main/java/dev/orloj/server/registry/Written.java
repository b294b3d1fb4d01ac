package dev.orloj.server.registry;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/**
 * A write that was done.
 *
 * @param document as it is stored now, or would be
 * @param warnings what the client should hear although nothing was refused
 */
public record Written(ObjectNode document, List<String> warnings) {

    public Written {
        warnings = List.copyOf(warnings);
    }
}
