package dev.orloj.api.codec;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;
import java.util.function.Function;

/**
 * A column of the table in which resources of a kind are printed.
 *
 * @param type {@code string}, {@code integer}, {@code boolean} or {@code date}
 * @param wide whether it is printed only on demand
 * @param cell the value to print; a date is an RFC 3339 time, printed as an age
 * @param nearest the main source of a computed value, for clients that print by paths
 */
public record Column(
        String name,
        String type,
        String description,
        boolean wide,
        Function<ObjectNode, Object> cell,
        Optional<String> nearest) {

    public static Column text(String name, String description, Function<ObjectNode, Object> cell) {
        return new Column(name, "string", description, false, cell, Optional.empty());
    }

    public static Column integer(
            String name, String description, Function<ObjectNode, Object> cell) {
        return new Column(name, "integer", description, false, cell, Optional.empty());
    }

    /** Creates a column for a time, printed as its age. */
    public static Column age(String name, String description, String pointer) {
        return date(name, description, at(pointer));
    }

    /** Creates a column for a time in one of several fields, printed like {@link #age}. */
    public static Column date(String name, String description, Function<ObjectNode, Object> cell) {
        return new Column(name, "date", description, false, cell, Optional.empty());
    }

    /** Returns a column that is printed only in the wide output. */
    public Column onlyWide() {
        return new Column(name, type, description, true, cell, nearest);
    }

    /** Sets the main source of a computed value, as a Kubernetes JSONPath. */
    public Column near(String path) {
        return new Column(name, type, description, wide, cell, Optional.of(path));
    }

    /** Returns the text at a JSON pointer, or the empty text. */
    public static Function<ObjectNode, Object> at(String pointer) {
        return new Pointed(pointer);
    }

    /** Returns the length of the array or object at a JSON pointer. */
    public static Function<ObjectNode, Object> sizeOf(String pointer) {
        return document -> document.at(pointer).size();
    }

    /** Returns the status of a condition: True, False or Unknown. */
    public static Function<ObjectNode, Object> condition(String type) {
        return new ConditionStatus(type);
    }

    /** Returns the Kubernetes JSONPath of the value. Empty if it is computed. */
    public Optional<String> jsonPath() {
        return switch (cell) {
            case Pointed(String pointer) -> Optional.of(pointer.replace('/', '.'));
            case ConditionStatus(String of) ->
                    Optional.of(".status.conditions[?(@.type==\"%s\")].status".formatted(of));
            default -> nearest;
        };
    }

    private record Pointed(String pointer) implements Function<ObjectNode, Object> {

        @Override
        public Object apply(ObjectNode document) {
            return document.at(pointer).asString("");
        }
    }

    private record ConditionStatus(String type) implements Function<ObjectNode, Object> {

        @Override
        public Object apply(ObjectNode document) {
            return document.at("/status/conditions")
                    .valueStream()
                    .filter(c -> c.path("type").asString("").equals(type))
                    .map(c -> c.path("status").asString("Unknown"))
                    .findFirst()
                    .orElse("Unknown");
        }
    }
}
