package dev.orloj.server.apply;

import dev.orloj.api.ObjectMeta;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/**
 * Lists the fields that no manager owns: those that identify the resource and those that the server
 * maintains.
 */
final class Bookkeeping {

    static final FieldSet FIELDS = fields();

    private Bookkeeping() {}

    private static FieldSet fields() {
        List<List<PathElement>> paths = new ArrayList<>();
        for (String root : List.of("apiVersion", "kind", "metadata")) {
            paths.add(List.of(new PathElement.Field(root)));
        }
        List<String> inMetadata = new ArrayList<>(ObjectMeta.SERVER_OWNED);
        inMetadata.add("name");
        inMetadata.add("namespace");
        for (String field : inMetadata) {
            paths.add(List.of(new PathElement.Field("metadata"), new PathElement.Field(field)));
        }
        return FieldSet.of(paths);
    }

    /** Returns a copy without the fields that only the server writes. */
    static ObjectNode removedFrom(ObjectNode document) {
        ObjectNode copy = document.deepCopy();
        if (copy.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(ObjectMeta.SERVER_OWNED);
        }
        return copy;
    }
}
