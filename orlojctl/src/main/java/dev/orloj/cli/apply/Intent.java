package dev.orloj.cli.apply;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.v1.Kinds;

import tools.jackson.databind.node.ObjectNode;

/**
 * The fields that a manager applies to one resource.
 *
 * @param document with its namespace filled in; never modified
 */
public record Intent(Kind<?> kind, ResourceKey key, ObjectNode document) {

    /** Returns the intent of a document in a namespace. */
    public static Intent in(String namespace, ObjectNode document) {
        ObjectNode placed = document.deepCopy();
        placed.withObject("/metadata").put("namespace", namespace);
        Kind<?> kind =
                Kinds.SCHEME
                        .findKind(
                                placed.path("apiVersion").asString(""),
                                placed.path("kind").asString(""))
                        .<Kind<?>>map(KindDescriptor::kind)
                        .orElseThrow();
        String name = placed.at("/metadata/name").asString("");
        return new Intent(kind, new ResourceKey(namespace, name), placed);
    }

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
