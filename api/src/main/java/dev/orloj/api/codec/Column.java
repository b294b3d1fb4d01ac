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
 * @param nearest where a computed value comes from mostly, for clients that print by paths
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

    /** A time, printed as the span between then and now. */
    public static Column age(String name, String description, String pointer) {
        return date(name, description, at(pointer));
    }

    /** A time that is found in one of several places, printed as {@link #age} prints it. */
    public static Column date(String name, String description, Function<ObjectNode, Object> cell) {
        return new Column(name, "date", description, false, cell, Optional.empty());
    }

    /** Printed only in the wide form. */
    public Column onlyWide() {
        return new Column(name, type, description, true, cell, nearest);
    }

    /** Says where a computed value comes from mostly, in the notation of Kubernetes. */
    public Column near(String path) {
        return new Column(name, type, description, wide, cell, Optional.of(path));
    }

    /** The text at a JSON pointer, or the empty text. */
    public static Function<ObjectNode, Object> at(String pointer) {
        return new Pointed(pointer);
    }

    /** The length of the array or object at a JSON pointer. */
    public static Function<ObjectNode, Object> sizeOf(String pointer) {
        return document -> document.at(pointer).size();
    }

    /** The status of a condition: True, False or Unknown. */
    public static Function<ObjectNode, Object> condition(String type) {
        return new ConditionStatus(type);
    }

    /** Where the value stands, in the notation of Kubernetes; empty when it is computed. */
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
