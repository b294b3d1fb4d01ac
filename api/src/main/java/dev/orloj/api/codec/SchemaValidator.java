package dev.orloj.api.codec;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;
import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.GoDuration;
import dev.orloj.api.spelling.NearMiss;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Validates a document against a structural schema and collects all errors. Skips values that are
 * equal in the stored document, because the schema may be stricter than it was when they were
 * stored.
 */
final class SchemaValidator {

    /** The most entries of a map whose schema sets no limit. */
    static final int MAX_ENTRIES = 10_000;

    private static final int LONGEST_SHOWN = 100;

    private static final Pattern TIME =
            Pattern.compile(
                    "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)");

    private final List<FieldError> errors;

    SchemaValidator(List<FieldError> errors) {
        this.errors = errors;
    }

    /**
     * @param before the value that is stored; a missing node if there is none
     */
    void validate(JsonNode schema, JsonNode value, JsonNode before, FieldPath path) {
        if (value.equals(before)) {
            return;
        }
        String type = schema.path("type").asString("");
        if (type.equals("integer") && value.isIntegralNumber() && !isInRange(schema, value)) {
            errors.add(
                    FieldError.invalid(
                            path,
                            value,
                            "%s in body must be an integer of %s bits"
                                    .formatted(path, isInt(schema) ? "32" : "64")));
            return;
        }
        if (!isOfType(type, value)) {
            errors.add(
                    FieldError.typeInvalid(
                            path,
                            typeName(value),
                            "%s in body must be of type %s: \"%s\"; %s"
                                    .formatted(
                                            path,
                                            type,
                                            typeName(value),
                                            TypeRemedy.of(schema, value))));
            return;
        }
        if (value.isObject()) {
            validateObject(schema, value, before, path);
        } else if (value.isArray()) {
            validateArray(schema, value, before, path);
        } else if (value.isString()) {
            validateText(schema, value.asString(), path);
        } else if (value.isNumber()) {
            validateNumber(schema, value, path);
        }
    }

    private void validateObject(JsonNode schema, JsonNode value, JsonNode before, FieldPath path) {
        for (JsonNode required : schema.path("required")) {
            if (!value.has(required.asString())) {
                errors.add(FieldError.required(path.child(required.asString()), ""));
            }
        }
        JsonNode additional = schema.path("additionalProperties");
        int maximum = schema.path("maxProperties").asInt(MAX_ENTRIES);
        if (additional.isObject() && value.size() > maximum) {
            errors.add(FieldError.tooMany(path, value.size(), maximum, "entries"));
            return;
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            JsonNode known = schema.path("properties").path(field.getKey());
            JsonNode stored = before.path(field.getKey());
            if (!known.isMissingNode()) {
                validate(known, field.getValue(), stored, path.child(field.getKey()));
            } else if (additional.isObject()) {
                validate(additional, field.getValue(), stored, path.key(field.getKey()));
            } else if (schema.path(SchemaPruner.STRICT).asBoolean(false)) {
                errors.add(unknown(schema, field.getKey(), path));
            }
        }
    }

    private static FieldError unknown(JsonNode schema, String name, FieldPath path) {
        List<String> known = schema.path("properties").propertyNames().stream().sorted().toList();
        String shown = name.length() > LONGEST_SHOWN ? name.substring(0, LONGEST_SHOWN) : name;
        String guess =
                NearMiss.of(shown, known).map(n -> "did you mean \"%s\"? ".formatted(n)).orElse("");
        return FieldError.forbidden(
                path.child(shown),
                "unknown field; %sthe fields of %s are %s"
                        .formatted(guess, path, String.join(", ", known)));
    }

    private void validateArray(JsonNode schema, JsonNode value, JsonNode before, FieldPath path) {
        int maximum = schema.path("maxItems").asInt(Integer.MAX_VALUE);
        if (value.size() > maximum) {
            errors.add(FieldError.tooMany(path, value.size(), maximum, "items"));
            return;
        }
        // An item keeps its place in most edits; if it moved, it is still the same item.
        Set<String> stored = new HashSet<>();
        before.forEach(item -> stored.add(item.toString()));
        for (int i = 0; i < value.size(); i++) {
            JsonNode item = value.path(i);
            if (stored.isEmpty() || !stored.contains(item.toString())) {
                validate(schema.path("items"), item, before.path(i), path.index(i));
            }
        }
        String listType = schema.path("x-kubernetes-list-type").asString("");
        // Compare texts: a set of texts stays fast even if hash codes collide.
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < value.size() && !listType.isEmpty(); i++) {
            JsonNode item = value.path(i);
            if (listType.equals("set") && !seen.add(item.toString())) {
                errors.add(FieldError.duplicate(path.index(i), item));
            }
            if (listType.equals("map")) {
                ObjectNode key = Json.MAPPER.createObjectNode();
                for (JsonNode name : schema.path("x-kubernetes-list-map-keys")) {
                    key.set(name.asString(), item.path(name.asString()));
                }
                if (!seen.add(key.toString())) {
                    errors.add(FieldError.duplicate(path.index(i), key));
                }
            }
        }
    }

    private void validateText(JsonNode schema, String text, FieldPath path) {
        JsonNode known = schema.path("enum");
        if (known.isArray() && known.valueStream().noneMatch(k -> k.asString("").equals(text))) {
            errors.add(
                    FieldError.notSupported(
                            path, text, known.valueStream().map(JsonNode::asString).toList()));
            return;
        }
        int minimum = schema.path("minLength").asInt(0);
        if (text.length() < minimum) {
            errors.add(FieldError.required(path, ""));
            return;
        }
        int maximum = schema.path("maxLength").asInt(Integer.MAX_VALUE);
        if (text.length() > maximum) {
            errors.add(FieldError.tooLong(path, maximum));
            return;
        }
        String pattern = schema.path("pattern").asString("");
        if (!pattern.isEmpty() && !Pattern.compile(pattern).matcher(text).find()) {
            errors.add(
                    FieldError.invalid(
                            path, text, "%s in body should match '%s'".formatted(path, pattern)));
            return;
        }
        validateFormat(schema.path("format").asString(""), text, path);
    }

    private void validateFormat(String format, String text, FieldPath path) {
        try {
            switch (format) {
                case "duration" -> new GoDuration(text);
                case "size" -> new ByteSize(text);
                case "cpus" -> new CpuAmount(text);
                case "date-time" -> requireTime(text);
                case "byte" -> Base64.getDecoder().decode(text);
                default -> {} // formats that only inform people
            }
        } catch (DateTimeException e) {
            errors.add(FieldError.invalid(path, text, "must be a time as in RFC 3339"));
        } catch (IllegalArgumentException e) {
            String remedy =
                    format.equals("byte") ? "must be base64" : String.valueOf(e.getMessage());
            // The value of a byte field may be a secret that its author forgot to encode.
            errors.add(FieldError.invalid(path, format.equals("byte") ? "..." : text, remedy));
        }
    }

    private void validateNumber(JsonNode schema, JsonNode value, FieldPath path) {
        JsonNode minimum = schema.path("minimum");
        JsonNode maximum = schema.path("maximum");
        if (minimum.isNumber() && value.decimalValue().compareTo(minimum.decimalValue()) < 0) {
            errors.add(
                    FieldError.invalid(
                            path,
                            value,
                            "%s in body should be greater than or equal to %s"
                                    .formatted(path, minimum)));
        }
        if (maximum.isNumber() && value.decimalValue().compareTo(maximum.decimalValue()) > 0) {
            errors.add(
                    FieldError.invalid(
                            path,
                            value,
                            "%s in body should be less than or equal to %s"
                                    .formatted(path, maximum)));
        }
    }

    /** Requires the form that all parsers of times accept. */
    private static void requireTime(String text) {
        if (!TIME.matcher(text).matches()) {
            throw new DateTimeException("no time");
        }
        OffsetDateTime.parse(text);
    }

    private static boolean isInt(JsonNode schema) {
        return schema.path("format").asString("").equals("int32");
    }

    private static boolean isInRange(JsonNode schema, JsonNode value) {
        return isInt(schema) ? value.canConvertToInt() : value.canConvertToLong();
    }

    private static boolean isOfType(String type, JsonNode value) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> true; // no type: any value is valid
        };
    }

    private static String typeName(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT, POJO -> "object";
            case ARRAY -> "array";
            case STRING, BINARY -> "string";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            case BOOLEAN -> "boolean";
            case NULL, MISSING -> "null";
        };
    }
}
