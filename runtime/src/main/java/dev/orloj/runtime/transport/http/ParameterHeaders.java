package dev.orloj.runtime.transport.http;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Maps arguments of a tool to HTTP headers of a call, as the schema of the tool requires with
 * {@code x-mcp-header} (2026-07-28, Streamable HTTP, "Schema Extension"). Immutable.
 */
public final class ParameterHeaders {

    /** Maps no argument. */
    public static final ParameterHeaders NONE = new ParameterHeaders(List.of());

    private static final String ANNOTATION = "x-mcp-header";
    private static final String HEADER_PREFIX = "Mcp-Param-";
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Set<String> TYPES = Set.of("integer", "string", "boolean");
    private static final long SAFE_INTEGER = (1L << 53) - 1;

    /** Limits the depth of a schema as a guard; schemas written by people are less deep. */
    private static final int MAX_DEPTH = 100;

    private record Mirrored(List<String> path, String name) {}

    private final List<Mirrored> mirrored;

    private ParameterHeaders(List<Mirrored> mirrored) {
        this.mirrored = List.copyOf(mirrored);
    }

    /**
     * Reads the annotations of a schema.
     *
     * @throws IllegalArgumentException when an annotation is not allowed, with its name and the
     *     reason; such a tool must not be offered
     */
    public static ParameterHeaders of(JsonNode inputSchema) {
        List<Mirrored> found = new ArrayList<>();
        collect(inputSchema, List.of(), true, found, 0);
        Set<String> names = new HashSet<>();
        for (Mirrored each : found) {
            if (!names.add(each.name().toLowerCase(Locale.ROOT))) {
                throw invalid(each.name(), "stands at more than one property");
            }
        }
        return found.isEmpty() ? NONE : new ParameterHeaders(found);
    }

    /**
     * Reads the annotations as {@link #of(JsonNode)} does, and maps no argument if an annotation is
     * not allowed.
     */
    public static ParameterHeaders orNone(JsonNode inputSchema) {
        try {
            return of(inputSchema);
        } catch (IllegalArgumentException e) {
            return NONE;
        }
    }

    /**
     * @param path path of the property that the schema describes
     * @param reachable whether the path leads through {@code properties} only
     */
    private static void collect(
            JsonNode schema,
            List<String> path,
            boolean reachable,
            List<Mirrored> found,
            int depth) {
        if (depth > MAX_DEPTH) {
            return;
        }
        if (schema.isArray()) {
            schema.forEach(each -> collect(each, path, false, found, depth + 1));
            return;
        }
        if (schema instanceof ObjectNode object) {
            JsonNode name = object.get(ANNOTATION);
            if (name != null) {
                found.add(mirrored(object, name, path, reachable));
            }
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                if (member.getKey().equals("properties") && member.getValue().isObject()) {
                    for (Map.Entry<String, JsonNode> property : member.getValue().properties()) {
                        List<String> below = new ArrayList<>(path);
                        below.add(property.getKey());
                        collect(property.getValue(), below, reachable, found, depth + 1);
                    }
                } else if (!isData(member.getKey())) {
                    collect(member.getValue(), path, false, found, depth + 1);
                }
            }
        }
    }

    /** Returns whether a keyword holds values rather than schemas. */
    private static boolean isData(String keyword) {
        return switch (keyword) {
            case "default", "const", "enum", "examples", ANNOTATION -> true;
            default -> false;
        };
    }

    private static Mirrored mirrored(
            ObjectNode schema, JsonNode name, List<String> path, boolean reachable) {
        String shown = name.isString() ? name.asString() : name.toString();
        if (!name.isString() || !TOKEN.matcher(shown).matches()) {
            throw invalid(shown, "is no name of a header");
        }
        if (!reachable || path.isEmpty()) {
            throw invalid(shown, "is not reached by \"properties\" alone");
        }
        if (!isPrimitive(schema.path("type"))) {
            throw invalid(shown, "stands at a property that is no integer, string or boolean");
        }
        return new Mirrored(List.copyOf(path), shown);
    }

    /**
     * Accepts one of the types, alone or together with null, since a null argument has no header.
     */
    private static boolean isPrimitive(JsonNode type) {
        if (!type.isArray()) {
            return TYPES.contains(type.asString(""));
        }
        List<String> types = type.valueStream().map(each -> each.asString("")).toList();
        return types.stream().anyMatch(TYPES::contains)
                && types.stream().allMatch(each -> TYPES.contains(each) || each.equals("null"));
    }

    private static IllegalArgumentException invalid(String name, String why) {
        return new IllegalArgumentException("%s \"%s\" %s".formatted(ANNOTATION, name, why));
    }

    /** Returns the headers of a call with these arguments; an absent or null argument has none. */
    public Map<String, String> of(ObjectNode arguments) {
        Map<String, String> headers = new LinkedHashMap<>();
        values(arguments)
                .forEach(
                        (name, value) -> {
                            String text = text(value);
                            if (text != null) {
                                headers.put(HEADER_PREFIX + name, HeaderValue.encode(text));
                            }
                        });
        return headers;
    }

    /** Returns the arguments that are mirrored, by the last part of their header names. */
    public Map<String, JsonNode> values(JsonNode arguments) {
        Map<String, JsonNode> values = new LinkedHashMap<>();
        for (Mirrored each : mirrored) {
            JsonNode value = find(arguments, each.path());
            if (value.isValueNode() && !value.isNull()) {
                values.put(each.name(), value);
            }
        }
        return values;
    }

    private static JsonNode find(JsonNode arguments, List<String> path) {
        JsonNode value = arguments;
        for (String name : path) {
            value = value.path(name);
        }
        return value;
    }

    /** Returns null for an absent value, and for a value that no valid schema allows. */
    private static @Nullable String text(JsonNode value) {
        if (value.isString()) {
            return value.asString();
        }
        if (value.isBoolean()) {
            return String.valueOf(value.booleanValue());
        }
        return value.isIntegralNumber()
                        && value.canConvertToLong()
                        && Math.abs(value.longValue()) <= SAFE_INTEGER
                ? String.valueOf(value.longValue())
                : null;
    }
}
