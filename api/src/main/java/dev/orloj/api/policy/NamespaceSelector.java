package dev.orloj.api.policy;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.orloj.api.Frozen;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/** Selects namespaces by their labels. One without requirements selects all. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record NamespaceSelector(
        Map<String, String> matchLabels, List<Expression> matchExpressions) {

    /**
     * A requirement for one label.
     *
     * @param operator {@code In}, {@code NotIn}, {@code Exists} or {@code DoesNotExist}
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Expression(String key, String operator, List<String> values) {

        public Expression {
            values = values == null ? List.of() : List.copyOf(values);
        }

        boolean takesValues() {
            return operator.equals("In") || operator.equals("NotIn");
        }

        private boolean matches(@Nullable String value) {
            return switch (operator) {
                case "In" -> value != null && values.contains(value);
                case "NotIn" -> value == null || !values.contains(value);
                case "Exists" -> value != null;
                default -> value == null;
            };
        }
    }

    public NamespaceSelector {
        matchLabels = matchLabels == null ? Map.of() : Frozen.map(matchLabels);
        matchExpressions = matchExpressions == null ? List.of() : List.copyOf(matchExpressions);
    }

    /** Returns whether a namespace with these labels is selected. */
    public boolean matches(Map<String, String> labels) {
        return labels.entrySet().containsAll(matchLabels.entrySet())
                && matchExpressions.stream()
                        .allMatch(expression -> expression.matches(labels.get(expression.key())));
    }
}
