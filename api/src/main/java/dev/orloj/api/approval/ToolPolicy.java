package dev.orloj.api.approval;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Schema;
import dev.orloj.api.pattern.NameSet;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;

/**
 * Rules for the definitions of tools, and for the results of calls, that apply to the McpServers of
 * a namespace, whatever the manifests of these servers say.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec"})
public record ToolPolicy(String apiVersion, String kind, ObjectMeta metadata, Spec spec)
        implements Resource {

    public static final Kind<ToolPolicy> KIND =
            new Kind<>("orloj.dev", "v1", "ToolPolicy", "toolpolicies", true, ToolPolicy.class);

    public static final KindDescriptor<ToolPolicy> DESCRIPTOR =
            KindDescriptor.of(KIND, Schema.fromResource(ToolPolicy.class, "toolpolicy.schema.json"))
                    .categories("orloj")
                    .validator(ToolPolicy::validate)
                    .columns(
                            Column.text(
                                    "On-New",
                                    "For tools that were not served before",
                                    Column.at("/spec/on_new")),
                            Column.text(
                                    "On-Change",
                                    "For definitions that changed",
                                    Column.at("/spec/on_change")))
                    .build();

    /**
     * The rules.
     *
     * @param serverFilter the servers that they apply to; all of the namespace when null
     * @param pinsApprove whether the rules accept a definition that the manifest of its server pins
     * @param resultPolicy the least strict {@code result_policy} of the servers; null sets none
     * @param rules has no pins
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Spec(
            @Nullable ServerFilter serverFilter,
            @Nullable Boolean pinsApprove,
            @Nullable ResultAction resultPolicy,
            @JsonUnwrapped ServingRules rules) {

        public Spec {
            rules = rules == null ? ServingRules.NONE : rules;
        }
    }

    /**
     * Names and patterns of servers. {@code exclude} takes precedence over {@code include}.
     *
     * @param include all servers when empty
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ServerFilter(List<String> include, List<String> exclude) {

        public ServerFilter {
            include = include == null ? List.of() : List.copyOf(include);
            exclude = exclude == null ? List.of() : List.copyOf(exclude);
        }
    }

    @Override
    public ToolPolicy withMetadata(ObjectMeta replacement) {
        return new ToolPolicy(apiVersion, kind, replacement, spec);
    }

    /** Returns whether the rules apply to a server of this name in the namespace of the policy. */
    public boolean selects(String server) {
        ServerFilter filter = spec.serverFilter();
        if (filter == null) {
            return true;
        }
        NameSet include = new NameSet(filter.include());
        return (include.isEmpty() || include.contains(server))
                && !new NameSet(filter.exclude()).contains(server);
    }

    boolean acceptsPins() {
        return Boolean.TRUE.equals(spec.pinsApprove());
    }

    /** A policy that says nothing is a mistake, and its author believes to be protected. */
    private static List<FieldError> validate(ToolPolicy policy) {
        boolean isEmpty = policy.spec().rules().equals(ServingRules.NONE);
        return isEmpty && policy.spec().resultPolicy() == null
                ? List.of(
                        FieldError.required(
                                FieldPath.of("spec"),
                                "give at least one of on_new, on_change, on_change_of,"
                                        + " on_remove and result_policy"))
                : List.of();
    }
}
