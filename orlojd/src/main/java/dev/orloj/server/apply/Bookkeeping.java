package dev.orloj.server.apply;

import dev.orloj.api.ObjectMeta;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** The fields that nobody owns: they name the resource, or the server keeps them. */
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

    /** A copy without what only the server writes. */
    static ObjectNode removedFrom(ObjectNode document) {
        ObjectNode copy = document.deepCopy();
        if (copy.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(ObjectMeta.SERVER_OWNED);
        }
        return copy;
    }
}
