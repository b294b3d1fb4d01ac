package dev.orloj.api.rbac;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Frozen;
import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.NameRule;
import dev.orloj.api.codec.Schema;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Rules for all namespaces, or for the one of the RoleBinding that refers to them.
 *
 * @param aggregationRule present when a controller collects the rules from other ClusterRoles
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "aggregationRule", "rules"})
public record ClusterRole(
        String apiVersion,
        String kind,
        ObjectMeta metadata,
        @Nullable AggregationRule aggregationRule,
        List<PolicyRule> rules)
        implements Resource {

    public static final Kind<ClusterRole> KIND =
            new Kind<>(Role.GROUP, "v1", "ClusterRole", "clusterroles", false, ClusterRole.class);

    public static final KindDescriptor<ClusterRole> DESCRIPTOR =
            KindDescriptor.of(
                            KIND, Schema.fromResource(ClusterRole.class, "clusterrole.schema.json"))
                    .nameRule(NameRule.PATH_SEGMENT)
                    .validator(ClusterRole::validate)
                    .overwritable()
                    .strategicMerge()
                    .columns(RbacColumns.role())
                    .wholeTable()
                    .build();

    /**
     * Selects the ClusterRoles whose rules are collected.
     *
     * @param clusterRoleSelectors a role needs to match one of them
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record AggregationRule(List<RoleSelector> clusterRoleSelectors) {

        public AggregationRule {
            clusterRoleSelectors =
                    clusterRoleSelectors == null ? List.of() : List.copyOf(clusterRoleSelectors);
        }
    }

    /** Selects ClusterRoles by their labels. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record RoleSelector(Map<String, String> matchLabels, List<Expression> matchExpressions) {

        public RoleSelector {
            matchLabels = matchLabels == null ? Map.of() : Frozen.map(matchLabels);
            matchExpressions = matchExpressions == null ? List.of() : List.copyOf(matchExpressions);
        }
    }

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
    }

    public ClusterRole {
        rules = rules == null ? List.of() : List.copyOf(rules);
    }

    private static List<FieldError> validate(ClusterRole role) {
        List<FieldError> errors = new ArrayList<>();
        if (role.aggregationRule() != null
                && role.aggregationRule().clusterRoleSelectors().isEmpty()) {
            errors.add(
                    FieldError.required(
                            FieldPath.of("aggregationRule", "clusterRoleSelectors"),
                            "at least one clusterRoleSelector required if aggregationRule is"
                                    + " non-nil"));
        }
        errors.addAll(PolicyRules.validate(role.rules(), false));
        return errors;
    }

    @Override
    public ClusterRole withMetadata(ObjectMeta replacement) {
        return new ClusterRole(apiVersion, kind, replacement, aggregationRule, rules);
    }
}
