package dev.orloj.server.registry;

import dev.orloj.api.codec.KindDescriptor;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** Reads and writes the finalizers that delay the deletion of a resource. */
final class Finalizers {

    private static final String OF_CONTENT = "/spec/finalizers";

    private Finalizers() {}

    /** Returns the finalizers in the metadata, which any resource may have. */
    static List<String> of(ObjectNode document) {
        return document.at("/metadata/finalizers").valueStream().map(JsonNode::asString).toList();
    }

    static void set(ObjectNode document, List<String> finalizers) {
        ObjectNode metadata = Metadata.of(document);
        if (finalizers.isEmpty()) {
            metadata.remove("finalizers");
        } else if (!finalizers.equals(of(document))) {
            ArrayNode list = metadata.putArray("finalizers");
            finalizers.forEach(list::add);
        }
    }

    /** Returns whether any finalizer remains. */
    static boolean hold(KindDescriptor<?> kind, ObjectNode document) {
        return !document.at("/metadata/finalizers").isEmpty()
                || (kind.heldByContent() && !document.at(OF_CONTENT).isEmpty());
    }

    static void add(ObjectNode document, List<String> more) {
        List<String> all = new ArrayList<>(of(document));
        more.stream().filter(finalizer -> !all.contains(finalizer)).forEach(all::add);
        set(document, all);
    }

    static void addToSpec(ObjectNode document, String finalizer) {
        boolean listed =
                document.at(OF_CONTENT).valueStream().anyMatch(f -> f.asString().equals(finalizer));
        if (!listed) {
            document.withArray(OF_CONTENT).add(finalizer);
        }
    }

    /** Copies the finalizers in the spec to another document. */
    static void copyOfSpec(ObjectNode from, ObjectNode to) {
        JsonNode finalizers = from.at(OF_CONTENT);
        if (finalizers.isMissingNode() || finalizers.isNull()) {
            if (to.get("spec") instanceof ObjectNode spec) {
                spec.remove("finalizers");
            }
        } else {
            to.withObject("/spec").set("finalizers", finalizers.deepCopy());
        }
    }
}
