package dev.orloj.api.pod;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Validates the fields of an affinity, and their number. They are those of Kubernetes, too deep and
 * too many for the schema of each kind that has them.
 */
final class AffinityRules {

    private static final int MAX_ITEMS = 32;
    private static final int MAX_TEXT = 317;
    private static final int MAX_WEIGHT = 100;

    /** What a value has to be. */
    private sealed interface Shape {

        /**
         * @param options the values that are allowed; empty for any
         */
        record Text(Set<String> options) implements Shape {}

        /** A number from 1 to 100. */
        record Weight() implements Shape {}

        record Items(Shape each) implements Shape {}

        /** Texts by names of any kind. */
        record Labels() implements Shape {}

        record Fields(Map<String, Shape> known, Set<String> required) implements Shape {}
    }

    private static final Shape TEXT = new Shape.Text(Set.of());
    private static final Shape TEXTS = new Shape.Items(TEXT);
    private static final Set<String> OF_LABELS = Set.of("In", "NotIn", "Exists", "DoesNotExist");

    private static final Set<String> OF_NODES =
            Set.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt");

    private static final Shape NODES =
            new Shape.Fields(
                    Map.of(
                            "matchExpressions", requirements(OF_NODES),
                            "matchFields", requirements(OF_NODES)),
                    Set.of());

    private static final Shape SELECTOR =
            new Shape.Fields(
                    Map.of(
                            "matchLabels",
                            new Shape.Labels(),
                            "matchExpressions",
                            requirements(OF_LABELS)),
                    Set.of());

    private static final Shape PODS =
            new Shape.Fields(
                    Map.of(
                            "labelSelector", SELECTOR,
                            "namespaceSelector", SELECTOR,
                            "namespaces", TEXTS,
                            "matchLabelKeys", TEXTS,
                            "mismatchLabelKeys", TEXTS,
                            "topologyKey", TEXT),
                    Set.of("topologyKey"));

    private static final Shape AFFINITY =
            new Shape.Fields(
                    Map.of(
                            "nodeAffinity",
                            rules(
                                    new Shape.Fields(
                                            Map.of("nodeSelectorTerms", new Shape.Items(NODES)),
                                            Set.of("nodeSelectorTerms")),
                                    "preference",
                                    NODES),
                            "podAffinity",
                            rules(new Shape.Items(PODS), "podAffinityTerm", PODS),
                            "podAntiAffinity",
                            rules(new Shape.Items(PODS), "podAffinityTerm", PODS)),
                    Set.of());

    private final List<FieldError> errors;

    private AffinityRules(List<FieldError> errors) {
        this.errors = errors;
    }

    /**
     * @param path of the affinity
     * @param errors receives what is wrong
     */
    static void validate(FieldPath path, JsonNode affinity, List<FieldError> errors) {
        new AffinityRules(errors).check(path, affinity, AFFINITY);
    }

    private static Shape requirements(Set<String> operators) {
        return new Shape.Items(
                new Shape.Fields(
                        Map.of("key", TEXT, "operator", new Shape.Text(operators), "values", TEXTS),
                        Set.of("key", "operator")));
    }

    private static Shape rules(Shape required, String preference, Shape preferred) {
        return new Shape.Fields(
                Map.of(
                        "requiredDuringSchedulingIgnoredDuringExecution",
                        required,
                        "preferredDuringSchedulingIgnoredDuringExecution",
                        new Shape.Items(
                                new Shape.Fields(
                                        Map.of("weight", new Shape.Weight(), preference, preferred),
                                        Set.of("weight", preference)))),
                Set.of());
    }

    private void check(FieldPath path, JsonNode value, Shape shape) {
        switch (shape) {
            case Shape.Text(Set<String> options) -> checkText(path, value, options);
            case Shape.Weight() -> {
                if (!value.isInt() || value.intValue() < 1 || value.intValue() > MAX_WEIGHT) {
                    errors.add(FieldError.invalid(path, value, "must be a number from 1 to 100"));
                }
            }
            case Shape.Items(Shape each) -> checkItems(path, value, each);
            case Shape.Labels() -> {
                if (isSmall(path, value, value.isObject(), "an object")) {
                    value.properties()
                            .forEach(
                                    label ->
                                            check(
                                                    path.key(label.getKey()),
                                                    label.getValue(),
                                                    TEXT));
                }
            }
            case Shape.Fields fields -> checkFields(path, value, fields);
        }
    }

    private void checkText(FieldPath path, JsonNode value, Set<String> options) {
        String text = value.asString("");
        if (!value.isString() || text.length() > MAX_TEXT) {
            errors.add(
                    FieldError.typeInvalid(
                            path, value, "must be text of at most " + MAX_TEXT + " characters"));
        } else if (!options.isEmpty() && !options.contains(text)) {
            errors.add(FieldError.notSupported(path, text, options));
        }
    }

    private void checkItems(FieldPath path, JsonNode value, Shape each) {
        if (isSmall(path, value, value.isArray(), "a list")) {
            for (int i = 0; i < value.size(); i++) {
                check(path.index(i), value.path(i), each);
            }
        }
    }

    private void checkFields(FieldPath path, JsonNode value, Shape.Fields fields) {
        if (!isSmall(path, value, value.isObject(), "an object")) {
            return;
        }
        for (String required : new TreeSet<>(fields.required())) {
            if (value.path(required).isMissingNode()) {
                errors.add(FieldError.required(path.child(required), ""));
            }
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            Shape known = fields.known().get(field.getKey());
            if (known != null) {
                check(path.child(field.getKey()), field.getValue(), known);
            } else {
                errors.add(unknown(path, field.getKey(), fields.known().keySet()));
            }
        }
    }

    private static FieldError unknown(FieldPath path, String name, Set<String> known) {
        String shown = name.length() > MAX_TEXT ? name.substring(0, MAX_TEXT) : name;
        return FieldError.forbidden(
                path.child(shown),
                "unknown field; the fields of %s are %s"
                        .formatted(path, String.join(", ", new TreeSet<>(known))));
    }

    private boolean isSmall(FieldPath path, JsonNode value, boolean fits, String type) {
        if (!fits) {
            errors.add(FieldError.typeInvalid(path, "...", "must be " + type));
        } else if (value.size() > MAX_ITEMS) {
            errors.add(FieldError.tooMany(path, value.size(), MAX_ITEMS, "entries"));
        }
        return fits && value.size() <= MAX_ITEMS;
    }
}
