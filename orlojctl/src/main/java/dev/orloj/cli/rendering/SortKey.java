package dev.orloj.cli.rendering;

import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.jsonpath.PathException;
import dev.orloj.cli.jsonpath.PathTemplate;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The order of {@code --sort-by}: by the first value of a path; resources without one first. */
public final class SortKey implements Comparator<ObjectNode> {

    private final PathTemplate path;

    private SortKey(PathTemplate path) {
        this.path = path;
    }

    public static SortKey parse(String text) {
        try {
            return new SortKey(PathTemplate.relaxed(text));
        } catch (PathException e) {
            throw new UsageException("--sort-by: " + e.getMessage());
        }
    }

    @Override
    public int compare(ObjectNode a, ObjectNode b) {
        Optional<JsonNode> left = value(a);
        Optional<JsonNode> right = value(b);
        if (left.isEmpty() || right.isEmpty()) {
            return Boolean.compare(left.isPresent(), right.isPresent());
        }
        return left.get().isNumber() && right.get().isNumber()
                ? left.get().decimalValue().compareTo(right.get().decimalValue())
                : left.get().asString("").compareTo(right.get().asString(""));
    }

    private Optional<JsonNode> value(ObjectNode document) {
        List<JsonNode> values = path.values(document);
        return values.isEmpty() ? Optional.empty() : Optional.of(values.getFirst());
    }
}
