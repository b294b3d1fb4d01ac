package dev.orloj.server.apply;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** The fields that nobody owns: they name the resource, or the server keeps them. */
final class Bookkeeping {

    private static final List<String> SERVER_OWNED =
            List.of(
                    "uid",
                    "resourceVersion",
                    "generation",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "selfLink",
                    "clusterName",
                    "managedFields");

    static final FieldSet FIELDS = fields();

    private Bookkeeping() {}

    private static FieldSet fields() {
        List<List<PathElement>> paths = new ArrayList<>();
        for (String root : List.of("apiVersion", "kind", "metadata")) {
            paths.add(List.of(new PathElement.Field(root)));
        }
        List<String> inMetadata = new ArrayList<>(SERVER_OWNED);
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
            metadata.remove(SERVER_OWNED);
        }
        return copy;
    }
}
