package dev.orloj.server.authorization;

import dev.orloj.api.rbac.ClusterRole;
import dev.orloj.api.rbac.ClusterRole.Expression;
import dev.orloj.api.rbac.ClusterRole.RoleSelector;
import dev.orloj.api.rbac.PolicyRule;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the rules of ClusterRoles that select others, which may select further ones. */
final class Aggregation {

    /** In a fixed order, so that the same roles always result in the same rules. */
    private final List<ClusterRole> all;

    Aggregation(Collection<ClusterRole> all) {
        this.all =
                all.stream().sorted(Comparator.comparing(role -> role.metadata().name())).toList();
    }

    /** Returns the rules of every role, by its name. */
    Map<String, List<PolicyRule>> rules() {
        Map<String, List<PolicyRule>> rules = new HashMap<>();
        for (ClusterRole role : all) {
            Set<PolicyRule> collected = new LinkedHashSet<>();
            collect(role, collected, new LinkedHashSet<>());
            rules.put(role.metadata().name(), List.copyOf(collected));
        }
        return rules;
    }

    /**
     * @param visited names of roles that were collected, because roles may select each other
     */
    private void collect(ClusterRole role, Set<PolicyRule> rules, Set<String> visited) {
        if (!visited.add(role.metadata().name())) {
            return;
        }
        ClusterRole.AggregationRule aggregation = role.aggregationRule();
        if (aggregation == null) {
            rules.addAll(role.rules());
            return;
        }
        for (ClusterRole other : all) {
            boolean isSelected =
                    aggregation.clusterRoleSelectors().stream()
                            .anyMatch(selector -> matches(selector, other.metadata().labels()));
            if (isSelected) {
                collect(other, rules, visited);
            }
        }
    }

    private static boolean matches(RoleSelector selector, Map<String, String> labels) {
        return labels.entrySet().containsAll(selector.matchLabels().entrySet())
                && selector.matchExpressions().stream()
                        .allMatch(expression -> matches(expression, labels.get(expression.key())));
    }

    private static boolean matches(Expression expression, @Nullable String value) {
        return switch (expression.operator()) {
            case "In" -> value != null && expression.values().contains(value);
            case "NotIn" -> value == null || !expression.values().contains(value);
            case "Exists" -> value != null;
            default -> value == null;
        };
    }
}
