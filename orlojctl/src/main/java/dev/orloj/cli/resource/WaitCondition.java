package dev.orloj.cli.resource;

import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.jsonpath.PathException;
import dev.orloj.cli.jsonpath.PathTemplate;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;

/** The condition of {@code wait --for}. */
public sealed interface WaitCondition {

    /** A condition has a status. */
    record HasCondition(String type, String status) implements WaitCondition {}

    /** The resource is gone. */
    record Gone() implements WaitCondition {}

    /**
     * A field has a value, or exists.
     *
     * @param path leads to one field, as kubectl requires it, too
     * @param text the path as the user wrote it, without braces
     */
    record HasValue(PathTemplate path, String text, @Nullable String value)
            implements WaitCondition {

        private List<JsonNode> values(ObjectNode resource) {
            try {
                return path.values(resource);
            } catch (PathException e) {
                return List.of(); // an index that no array has yet
            }
        }

        private boolean isReached(ObjectNode resource) {
            return values(resource).size() == 1
                    && (value == null || path.render(resource).equals(value));
        }

        private String explain(ObjectNode resource) {
            return switch (values(resource).size()) {
                case 0 -> "it has no " + text;
                case 1 -> text + " is " + path.render(resource);
                default -> text + " leads to several values, and has to lead to one";
            };
        }
    }

    static WaitCondition parse(String text) {
        if (text.equals("delete")) {
            return new Gone();
        }
        if (text.startsWith("condition=")) {
            String[] parts = text.substring("condition=".length()).split("=", 2);
            if (!parts[0].isEmpty()) {
                return new HasCondition(parts[0], parts.length == 2 ? parts[1] : "True");
            }
        }
        String path = text.startsWith("jsonpath=") ? text.substring("jsonpath=".length()) : text;
        if (path.startsWith("{.")) {
            return parsePath(path, text);
        }
        throw malformed(text);
    }

    private static WaitCondition parsePath(String path, String text) {
        boolean isAlone = path.endsWith("}");
        int end = isAlone ? path.length() - 1 : path.indexOf("}=");
        if (end < 0) {
            throw malformed(text);
        }
        String field = path.substring(1, end);
        try {
            return new HasValue(
                    PathTemplate.relaxed(field),
                    field,
                    isAlone ? null : unquoted(path.substring(end + 2)));
        } catch (PathException e) {
            throw new UsageException("--for \"%s\": %s".formatted(text, e.getMessage()));
        }
    }

    private static String unquoted(String value) {
        boolean isQuoted =
                value.length() > 1
                        && (value.startsWith("\"") && value.endsWith("\"")
                                || value.startsWith("'") && value.endsWith("'"));
        return isQuoted ? value.substring(1, value.length() - 1) : value;
    }

    private static UsageException malformed(String text) {
        return new UsageException(
                "--for \"%s\": expected condition=Ready, condition=Ready=False, delete or '{.status.phase}'=Ready"
                        .formatted(text));
    }

    default boolean isReached(Optional<ObjectNode> resource) {
        return switch (this) {
            case Gone() -> resource.isEmpty();
            case HasCondition(String type, String status) ->
                    resource.flatMap(r -> condition(r, type))
                            .filter(c -> isCurrent(c, resource.get()))
                            .map(c -> c.path("status").asString(""))
                            .filter(status::equalsIgnoreCase)
                            .isPresent();
            case HasValue field -> resource.filter(field::isReached).isPresent();
        };
    }

    /** Returns whether the condition applies to the current spec, not only to an older one. */
    private static boolean isCurrent(JsonNode condition, ObjectNode resource) {
        long generation = resource.at("/metadata/generation").asLong(0);
        return condition.path("observedGeneration").asLong(generation) >= generation;
    }

    private static Optional<JsonNode> condition(ObjectNode resource, String type) {
        return resource.at("/status/conditions")
                .valueStream()
                .filter(c -> c.path("type").asString("").equalsIgnoreCase(type))
                .findFirst();
    }

    /** Returns the condition in the format {@code condition=Ready}. */
    default String describe() {
        return switch (this) {
            case Gone() -> "delete";
            case HasCondition(String type, String status) ->
                    "condition=" + type + (status.equals("True") ? "" : "=" + status);
            case HasValue(_, String text, String value) ->
                    "{" + text + "}" + (value == null ? "" : "=" + value);
        };
    }

    /** Explains why the resource does not meet the condition. */
    default String explain(Optional<ObjectNode> last) {
        if (last.isEmpty()) {
            return "it is not there";
        }
        ObjectNode resource = last.get();
        return switch (this) {
            case Gone() -> {
                JsonNode finalizers = resource.at("/metadata/finalizers");
                if (!resource.at("/metadata").has("deletionTimestamp")) {
                    yield "it is not being deleted; delete it with: orlojctl delete";
                }
                yield finalizers.isEmpty()
                        ? "it is still there"
                        : "it is held by finalizers " + finalizers;
            }
            case HasCondition(String type, String status) ->
                    condition(resource, type)
                            .map(WaitCondition::explain)
                            .orElseGet(() -> MissingCondition.explain(resource, type));
            case HasValue field -> field.explain(resource);
        };
    }

    private static String explain(JsonNode condition) {
        String message = condition.path("message").asString("");
        return "%s is %s (%s)%s"
                .formatted(
                        condition.path("type").asString(""),
                        condition.path("status").asString(""),
                        condition.path("reason").asString(""),
                        message.isEmpty() ? "" : ": " + message);
    }
}
