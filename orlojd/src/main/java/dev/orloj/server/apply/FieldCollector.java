package dev.orloj.server.apply;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Collects the fields of a document that can be owned individually. For one use. */
final class FieldCollector {

    private final FieldSet.Builder found = new FieldSet.Builder();
    private final List<PathElement> path = new ArrayList<>();

    private FieldCollector() {}

    /**
     * Returns the fields of a document: atomic values, items of shared lists, entries of maps, and
     * empty values. A declared object counts only through its fields.
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
