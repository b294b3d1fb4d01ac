package dev.orloj.runtime.call;

import com.networknt.schema.Error;
import com.networknt.schema.path.NodePath;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldError.Type;
import dev.orloj.api.FieldPath;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Converts the errors of the schema validator to field errors below {@code arguments}. */
final class Violations {

    private static final int MAX_ERRORS = 50;
    private static final int LONGEST_TEXT = 200;
    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$-]*");

    private final JsonNode arguments;
    private final JsonNode inputSchema;

    /** By the path of the object that has them. */
    private final Map<NodePath, UnknownArguments> unknown = new HashMap<>();

    private final List<FieldError> errors = new ArrayList<>();

    /**
     * Errors in the branches of an anyOf or oneOf, by the path of the value that matches no branch.
     */
    private final Map<NodePath, Set<String>> alternatives = new LinkedHashMap<>();

    private Violations(JsonNode arguments, JsonNode inputSchema) {
        this.arguments = arguments;
        this.inputSchema = inputSchema;
    }

    static List<FieldError> of(List<Error> found, JsonNode arguments, JsonNode inputSchema) {
        Violations violations = new Violations(arguments, inputSchema);
        for (Error error : found) {
            violations.add(error);
        }
        violations.alternatives.forEach(violations::addAlternatives);
        List<FieldError> errors = violations.errors;
        return errors.size() > MAX_ERRORS ? errors.subList(0, MAX_ERRORS) : errors;
    }

    /**
     * Returns a value for a message: strings without quotes, other values as JSON, truncated when
     * long.
     */
    static Object shown(JsonNode value) {
        return value.isString() ? value.asString() : new Bare(cut(value.toString()));
    }

    /** Text that is shown without quotes. */
    private record Bare(String text) {

        @Override
        public String toString() {
            return text;
        }
    }

    private void add(Error error) {
        int depth = depthOfAlternatives(error.getEvaluationPath());
        if (depth < 0) {
            errors.add(fieldError(error, hint(error)));
            return;
        }
        FieldError fieldError = fieldError(error, "");
        NodePath location = ancestor(error.getInstanceLocation(), depth);
        Set<String> complaints = alternatives.computeIfAbsent(location, _ -> new LinkedHashSet<>());
        if (!error.getKeyword().equals("oneOf")) {
            boolean sameValue = fieldError.path().equals(path(location));
            complaints.add((sameValue ? "" : fieldError.path() + " ") + remedy(error));
        }
    }

    private void addAlternatives(NodePath location, Set<String> complaints) {
        String remedy =
                complaints.isEmpty()
                        ? "must fit exactly one of the alternatives"
                        : "must fit one of the alternatives: " + String.join("; ", complaints);
        errors.add(FieldError.invalid(path(location), shown(nodeAt(arguments, location)), remedy));
    }

    /**
     * Returns what the other members suggest about an error of an object; empty for nothing. The
     * errors that are not returned need none.
     */
    private String hint(Error error) {
        if (errors.size() >= MAX_ERRORS) {
            return "";
        }
        return switch (error.getKeyword()) {
            case "required" -> unknown(error).besideMissing(error.getProperty());
            case "additionalProperties", "unevaluatedProperties" ->
                    unknown(error).insteadOf(error.getProperty());
            default -> "";
        };
    }

    private UnknownArguments unknown(Error error) {
        return unknown.computeIfAbsent(
                error.getInstanceLocation(),
                _ -> new UnknownArguments(schemaOf(error), error.getInstanceNode()));
    }

    /** Returns the schema with the keyword, if it alone may define the members of an object. */
    private JsonNode schemaOf(Error error) {
        NodePath path = error.getEvaluationPath();
        for (int i = 0; i < path.getNameCount(); i++) {
            if (UnknownArguments.COMBINING.contains(path.getName(i))) {
                return MissingNode.getInstance();
            }
        }
        JsonNode schema = nodeAt(inputSchema, error.getSchemaLocation().getFragment().getParent());
        // An $id below the root has locations of its own.
        return schema.path(error.getKeyword()).equals(error.getSchemaNode())
                ? schema
                : MissingNode.getInstance();
    }

    private static FieldError fieldError(Error error, String hint) {
        FieldPath path = path(error.getInstanceLocation());
        Object value = shown(error.getInstanceNode());
        return switch (error.getKeyword()) {
            case "required" -> FieldError.required(child(path, error.getProperty()), hint);
            case "dependentRequired" ->
                    FieldError.required(
                            child(path, String.valueOf(error.getArguments()[0])), remedy(error));
            case "additionalProperties", "unevaluatedProperties" ->
                    FieldError.forbidden(child(path, error.getProperty()), remedy(error) + hint);
            case "false" -> FieldError.forbidden(path, remedy(error));
            case "propertyNames" -> FieldError.invalid(path, error.getProperty(), remedy(error));
            case "type" -> FieldError.typeInvalid(path, value, remedy(error));
            case "enum" -> FieldError.notSupported(path, value, names(error.getSchemaNode()));
            case "maxLength" ->
                    new FieldError(path, Type.FieldValueTooLong, "Too long: " + remedy(error));
            case "maxItems", "maxProperties" ->
                    new FieldError(path, Type.FieldValueTooMany, "Too many: " + remedy(error));
            default -> FieldError.invalid(path, value, remedy(error));
        };
    }

    /** Describes what would be valid. */
    private static String remedy(Error error) {
        return switch (error.getKeyword()) {
            case "required" -> "is required";
            case "dependentRequired" -> "must be given with \"" + error.getArguments()[1] + "\"";
            case "additionalProperties", "unevaluatedProperties" -> "the tool has no such argument";
            case "false" -> "no value is allowed here";
            case "type" -> "must be of type " + String.join(" or ", names(error.getSchemaNode()));
            case "enum" -> "must be one of " + cut(error.getSchemaNode().toString());
            case "const" -> "must be " + cut(error.getSchemaNode().toString());
            case "minimum" -> "must be at least " + error.getSchemaNode();
            case "maximum" -> "must be at most " + error.getSchemaNode();
            case "exclusiveMinimum" -> "must be more than " + error.getSchemaNode();
            case "exclusiveMaximum" -> "must be less than " + error.getSchemaNode();
            case "multipleOf" -> "must be a multiple of " + error.getSchemaNode();
            case "pattern" -> "must match " + cut(error.getSchemaNode().toString());
            case "not" -> "must not fit " + cut(error.getSchemaNode().toString());
            default -> cut(error.getMessage());
        };
    }

    private static JsonNode nodeAt(JsonNode root, NodePath path) {
        JsonNode node = root;
        for (int i = 0; i < path.getNameCount(); i++) {
            node =
                    path.getElement(i) instanceof Integer index
                            ? node.path(index)
                            : node.path(path.getName(i));
        }
        return node;
    }

    private static List<String> names(JsonNode schemaNode) {
        if (!schemaNode.isArray()) {
            return List.of(String.valueOf(shown(schemaNode)));
        }
        List<String> names = new ArrayList<>();
        for (JsonNode name : schemaNode) {
            names.add(String.valueOf(shown(name)));
        }
        return names;
    }

    /**
     * Returns the depth of the value that an anyOf or oneOf applies to, given an error in one of
     * its branches; negative when there is none.
     */
    private static int depthOfAlternatives(NodePath evaluationPath) {
        int depth = 0;
        for (int i = 0; i < evaluationPath.getNameCount(); i++) {
            switch (evaluationPath.getName(i)) {
                case "anyOf", "oneOf" -> {
                    return depth;
                }
                case "properties", "patternProperties" -> {
                    depth++;
                    i++;
                }
                case "dependentSchemas" -> i++;
                case "items",
                        "prefixItems",
                        "additionalItems",
                        "unevaluatedItems",
                        "contains",
                        "additionalProperties",
                        "unevaluatedProperties" ->
                        depth++;
                default -> {}
            }
        }
        return -1;
    }

    private static NodePath ancestor(NodePath location, int depth) {
        NodePath ancestor = location;
        while (ancestor.getNameCount() > depth) {
            ancestor = ancestor.getParent();
        }
        return ancestor;
    }

    private static FieldPath path(NodePath location) {
        FieldPath path = FieldPath.of("arguments");
        for (int i = 0; i < location.getNameCount(); i++) {
            path =
                    location.getElement(i) instanceof Integer index
                            ? path.index(index)
                            : child(path, location.getName(i));
        }
        return path;
    }

    private static FieldPath child(FieldPath path, String name) {
        return PLAIN_NAME.matcher(name).matches() ? path.child(name) : path.key(cut(name));
    }

    private static String cut(String text) {
        return text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + "..." : text;
    }
}
