package dev.orloj.server.apply;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validates an applied document: the schema declares every field, and list items are distinct. */
public final class AppliedForm {

    /** Limits the size of the error message. */
    private static final int MAX_PROBLEMS = 100;

    private final List<String> problems = new ArrayList<>();
    private final List<PathElement> path = new ArrayList<>();

    private AppliedForm() {}

    /** Returns the problems that prevent applying the document, each with its field path. */
    public static List<String> problems(FieldType type, JsonNode config) {
        AppliedForm form = new AppliedForm();
        form.check(type, config);
        return List.copyOf(form.problems);
    }

    private void check(FieldType type, JsonNode value) {
        switch (type.shapeOf(value)) {
            case WHOLE -> checkWhole(type, value);
            case FIELDS -> checkFields(type, value);
            case ITEMS -> checkItems(type, value);
        }
    }

    /** Checks the fields inside an atomic value, which must be declared too. */
    private void checkWhole(FieldType type, JsonNode value) {
        if (value.isObject()) {
            checkFields(type, value);
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                path.add(new PathElement.Index(i));
                check(type.items(), value.path(i));
                path.removeLast();
            }
        }
    }

    private void checkFields(FieldType type, JsonNode object) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            path.add(new PathElement.Field(field.getKey()));
            if (type.allows(field.getKey())) {
                check(type.field(field.getKey()), field.getValue());
            } else {
                report("field not declared in schema");
            }
            path.removeLast();
        }
    }

    private void checkItems(FieldType type, JsonNode list) {
        Set<PathElement> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode item = list.path(i);
            List<String> missing = type.missingKeys(item);
            PathElement element = type.elementOf(item);
            if (!missing.isEmpty()) {
                report(
                        ("element %d: associative list with keys has an element that omits key"
                                        + " field \"%s\" (and doesn't have default value)")
                                .formatted(i, missing.getFirst()));
            } else if (!seen.add(element)) {
                report("duplicate entries for key " + element);
            }
            path.add(element);
            check(type.items(), item);
            path.removeLast();
        }
    }

    private void report(String problem) {
        if (problems.size() == MAX_PROBLEMS) {
            return;
        }
        problems.add(FieldSet.text(path) + ": " + problem);
    }
}
