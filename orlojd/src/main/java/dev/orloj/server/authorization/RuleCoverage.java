package dev.orloj.server.authorization;

import dev.orloj.api.rbac.PolicyRule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Compares rules, so that no user grants rights that they lack. Rules are divided into parts with
 * one verb and one resource; one rule of the owner has to cover a whole part, as in Kubernetes.
 */
final class RuleCoverage {

    private RuleCoverage() {}

    /**
     * Returns the parts of the wanted rules that no rule of the owner covers, merged and sorted.
     */
    static List<PolicyRule> uncovered(List<PolicyRule> owner, List<PolicyRule> wanted) {
        List<PolicyRule> missing = new ArrayList<>();
        for (PolicyRule rule : wanted) {
            for (PolicyRule part : parts(rule)) {
                if (owner.stream().noneMatch(has -> covers(has, part))) {
                    missing.add(part);
                }
            }
        }
        return merged(missing).stream().sorted(Comparator.comparing(RuleCoverage::text)).toList();
    }

    private static List<PolicyRule> parts(PolicyRule rule) {
        List<PolicyRule> parts = new ArrayList<>();
        for (String verb : rule.verbs()) {
            for (String group : rule.apiGroups()) {
                for (String resource : rule.resources()) {
                    if (rule.resourceNames().isEmpty()) {
                        parts.add(part(verb, group, resource, List.of()));
                    }
                    for (String name : rule.resourceNames()) {
                        parts.add(part(verb, group, resource, List.of(name)));
                    }
                }
            }
            for (String url : rule.nonResourceURLs()) {
                parts.add(
                        new PolicyRule(
                                List.of(verb), List.of(), List.of(), List.of(), List.of(url)));
            }
        }
        return parts;
    }

    private static PolicyRule part(String verb, String group, String resource, List<String> names) {
        return new PolicyRule(List.of(verb), List.of(group), List.of(resource), names, List.of());
    }

    private static boolean covers(PolicyRule has, PolicyRule part) {
        if (!RuleMatch.hasOrAll(has.verbs(), part.verbs().getFirst())) {
            return false;
        }
        if (!part.nonResourceURLs().isEmpty()) {
            return RuleMatch.matchesPath(has.nonResourceURLs(), part.nonResourceURLs().getFirst());
        }
        return RuleMatch.hasOrAll(has.apiGroups(), part.apiGroups().getFirst())
                && coversResource(has.resources(), part.resources().getFirst())
                && (has.resourceNames().isEmpty()
                        || !part.resourceNames().isEmpty()
                                && has.resourceNames().containsAll(part.resourceNames()));
    }

    private static boolean coversResource(List<String> resources, String resource) {
        int slash = resource.indexOf('/');
        return RuleMatch.hasOrAll(resources, resource)
                || slash >= 0 && resources.contains(RuleMatch.ALL + resource.substring(slash));
    }

    /** Merges the verbs of parts that are equal otherwise. */
    private static List<PolicyRule> merged(List<PolicyRule> parts) {
        Map<PolicyRule, Set<String>> verbs = new LinkedHashMap<>();
        for (PolicyRule part : parts) {
            PolicyRule key =
                    new PolicyRule(
                            List.of(),
                            part.apiGroups(),
                            part.resources(),
                            part.resourceNames(),
                            part.nonResourceURLs());
            verbs.computeIfAbsent(key, _ -> new LinkedHashSet<>()).addAll(part.verbs());
        }
        return verbs.entrySet().stream()
                .map(
                        each ->
                                new PolicyRule(
                                        List.copyOf(each.getValue()),
                                        each.getKey().apiGroups(),
                                        each.getKey().resources(),
                                        each.getKey().resourceNames(),
                                        each.getKey().nonResourceURLs()))
                .toList();
    }

    /** Writes a rule as kube-apiserver does. */
    static String text(PolicyRule rule) {
        List<String> fields = new ArrayList<>();
        add(fields, "APIGroups", rule.apiGroups());
        add(fields, "Resources", rule.resources());
        add(fields, "NonResourceURLs", rule.nonResourceURLs());
        add(fields, "ResourceNames", rule.resourceNames());
        add(fields, "Verbs", rule.verbs());
        return "{" + String.join(", ", fields) + "}";
    }

    private static void add(List<String> fields, String name, List<String> values) {
        if (!values.isEmpty()) {
            fields.add(
                    values.stream()
                            .map(value -> '"' + value + '"')
                            .collect(Collectors.joining(" ", name + ":[", "]")));
        }
    }
}
