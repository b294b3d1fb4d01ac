package dev.orloj.server.admission;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/**
 * A document reduced to the fields of its kind.
 *
 * @param document owned by the recipient, which may change it
 * @param warnings for the client, though the document is accepted
 */
public record Received(ObjectNode document, List<String> warnings) {

    public Received {
        warnings = List.copyOf(warnings);
    }
}
