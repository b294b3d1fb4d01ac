package dev.orloj.server.registry;

import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.Schema;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;

/** Changes a document as a client requests. */
public sealed interface Patch {

    /** Returns the changed document; may modify {@code base}. */
    Document applyTo(ObjectNode base);

    /** JSON merge patch (RFC 7396): merges objects, removes on null, replaces everything else. */
    record Merge(Document patch) implements Patch {

        @Override
        public Document applyTo(ObjectNode base) {
            // The nodes become part of the document, which is changed later; the patch may be
            // applied again.
            merge(base, patch.root().deepCopy());
            return new Document(base, patch.duplicates(), Map.of());
        }

        private static void merge(ObjectNode target, ObjectNode patch) {
            for (Map.Entry<String, JsonNode> field : patch.properties()) {
                String name = field.getKey();
                switch (field.getValue()) {
                    case ObjectNode object -> {
                        ObjectNode child =
                                target.get(name) instanceof ObjectNode present
                                        ? present
                                        : target.putObject(name);
                        merge(child, object);
                    }
                    case JsonNode value when value.isNull() -> target.remove(name);
                    case JsonNode value -> target.set(name, value);
                }
            }
        }
    }

    /**
     * Strategic merge patch: like a merge patch, but can merge lists too.
     *
     * @param schema defines how lists are merged
     */
    record Strategic(Document patch, Schema schema) implements Patch {

        @Override
        public Document applyTo(ObjectNode base) {
            StrategicMerge.merge(base, patch.root().deepCopy(), schema.root());
            return new Document(base, patch.duplicates(), Map.of());
        }
    }

    /** JSON patch (RFC 6902): a list of operations, all or none. */
    record Operations(ArrayNode operations) implements Patch {

        @Override
        public Document applyTo(ObjectNode base) {
            return new Document(JsonPatches.apply(operations, base), List.of(), Map.of());
        }
    }
}
