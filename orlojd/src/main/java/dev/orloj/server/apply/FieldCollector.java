package dev.orloj.server.apply;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds the fields that a document has, as far as they can be owned one by one. For one use. */
final class FieldCollector {

    private final FieldSet.Builder found = new FieldSet.Builder();
    private final List<PathElement> path = new ArrayList<>();

    private FieldCollector() {}

    /**
     * The fields of a document: values that are not shared further, items of shared lists, entries
     * of maps, and what is empty. A declared object counts by its fields alone.
     */
    static FieldSet fieldsOf(FieldType type, JsonNode document) {
        FieldCollector collector = new FieldCollector();
        collector.visit(type, document);
        return collector.found.build();
    }

    private void visit(FieldType type, JsonNode value) {
        switch (type.shapeOf(value)) {
            case WHOLE -> found.add(path);
            case ITEMS -> value.forEach(item -> visitItem(type, item));
            case FIELDS -> value.properties().forEach(field -> visitField(type, field));
        }
    }

    private void visitItem(FieldType type, JsonNode item) {
        path.add(type.elementOf(item));
        visit(type.items(), item);
        found.add(path);
        path.removeLast();
    }

    private void visitField(FieldType type, Map.Entry<String, JsonNode> field) {
        JsonNode value = field.getValue();
        path.add(new PathElement.Field(field.getKey()));
        visit(type.field(field.getKey()), value);
        if ((value.isObject() && value.isEmpty()) || !type.declares(field.getKey())) {
            found.add(path);
        }
        path.removeLast();
    }
}
