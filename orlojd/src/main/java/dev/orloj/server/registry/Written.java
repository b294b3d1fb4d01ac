package dev.orloj.server.registry;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/**
 * The result of a write.
 *
 * @param document as stored, or as it would be stored
 * @param warnings for the client, though the write succeeded
 */
public record Written(ObjectNode document, List<String> warnings) {

    public Written {
        warnings = List.copyOf(warnings);
    }
}
