package dev.orloj.server.admission;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/**
 * A document reduced to what its kind knows.
 *
 * @param document belongs to the receiver, who may change it
 * @param warnings what the client should hear although nothing is refused
 */
public record Received(ObjectNode document, List<String> warnings) {

    public Received {
        warnings = List.copyOf(warnings);
    }
}
