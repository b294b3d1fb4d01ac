package dev.orloj.cli.apply;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;

import tools.jackson.databind.node.ObjectNode;

/**
 * The fields that a manager applies to one resource.
 *
 * @param document with its namespace filled in; never modified
 */
public record Intent(Kind<?> kind, ResourceKey key, ObjectNode document) {

    /**
     * Returns the document without the fields that only the server writes, which {@code get -o
     * yaml} prints.
     */
    ObjectNode body() {
        ObjectNode body = document.deepCopy();
        if (body.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(ObjectMeta.SERVER_OWNED);
        }
        return body;
    }
}
