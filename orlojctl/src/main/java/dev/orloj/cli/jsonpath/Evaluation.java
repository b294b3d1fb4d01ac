package dev.orloj.cli.jsonpath;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Finds the values of a path. What does not exist has no values. */
final class Evaluation {

    private static final int MAX_VALUES = 1_000_000;

    private Evaluation() {}

    static List<JsonNode> of(List<Step> steps, JsonNode root) {
        List<JsonNode> values = List.of(root);
        for (Step step : steps) {
            values = apply(step, values);
        }
        return values;
    }

    private static List<JsonNode> apply(Step step, List<JsonNode> values) {
        List<JsonNode> next = new ArrayList<>();
        if (step instanceof Step.Union(List<List<Step>> paths)) {
            // The values of the first path for all, then those of the second.
            for (List<Step> path : paths) {
                values.forEach(value -> next.addAll(of(path, value)));
            }
            return next;
        }
        for (JsonNode value : values) {
            apply(step, value, next);
            if (next.size() > MAX_VALUES) {
                throw new PathException("the path has more than %d values".formatted(MAX_VALUES));
            }
        }
        return next;
    }

    private static void apply(Step step, JsonNode value, List<JsonNode> into) {
        switch (step) {
            case Step.Field(String name) -> {
                if (value.has(name)) {
                    into.add(value.get(name));
                }
            }
            case Step.Wildcard() -> value.forEach(into::add);
            case Step.Descent() -> descend(value, into);
            case Step.Slice slice -> slice(slice, value, into);
            case Step.Union(List<List<Step>> paths) ->
                    paths.forEach(path -> into.addAll(of(path, value)));
            case Step.Filter filter -> filter(filter, value, into);
        }
    }

    private static void descend(JsonNode value, List<JsonNode> into) {
        into.add(value);
        value.forEach(child -> descend(child, into));
    }

    private static void slice(Step.Slice slice, JsonNode value, List<JsonNode> into) {
        if (!value.isArray()) {
            return;
        }
        int size = value.size();
        if (slice.isIndex()) {
            int given = slice.from() == null ? 0 : slice.from();
            int index = given < 0 ? given + size : given;
            if (index < 0 || index >= size) {
                throw new PathException(
                        "array index out of bounds: index %d, length %d".formatted(given, size));
            }
            into.add(value.get(index));
            return;
        }
        int from = slice.from() == null ? 0 : slice.from();
        int to = slice.to() == null ? size : slice.to();
        int step = slice.step() == null ? 1 : slice.step();
        if (step <= 0) {
            throw new PathException("step must be > 0");
        }
        from = Math.max(0, from < 0 ? from + size : from);
        to = Math.min(size, to < 0 ? to + size : to);
        for (long i = from; i < to; i += step) {
            into.add(value.get((int) i));
        }
    }

    private static void filter(Step.Filter filter, JsonNode value, List<JsonNode> into) {
        if (!value.isArray()) {
            return;
        }
        for (JsonNode item : value) {
            if (passes(filter, item)) {
                into.add(item);
            }
        }
    }

    private static boolean passes(Step.Filter filter, JsonNode item) {
        List<Value> left = values(filter.left(), item);
        Step.Operand operand = filter.right();
        if (operand == null) {
            return !left.isEmpty();
        }
        List<Value> right = values(operand, item);
        if (left.isEmpty() || right.isEmpty()) {
            return false;
        }
        int order = compare(left.getFirst(), right.getFirst());
        boolean isSame = left.getFirst().text().equals(right.getFirst().text()) || order == 0;
        return switch (filter.operator()) {
            case "==" -> isSame;
            case "!=" -> !isSame;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }

    private record Value(String text, boolean isString) {}

    private static List<Value> values(Step.Operand operand, JsonNode item) {
        return switch (operand) {
            case Step.Operand.Literal(String text, boolean isString) ->
                    List.of(new Value(text, isString));
            case Step.Operand.Path(List<Step> steps) ->
                    of(steps, item).stream()
                            .map(node -> new Value(Printed.of(node), node.isString()))
                            .toList();
        };
    }

    private static int compare(Value left, Value right) {
        if (!left.isString() && !right.isString()) {
            try {
                return new BigDecimal(left.text()).compareTo(new BigDecimal(right.text()));
            } catch (NumberFormatException e) {
                return left.text().compareTo(right.text());
            }
        }
        return left.text().compareTo(right.text());
    }
}
