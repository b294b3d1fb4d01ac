package dev.orloj.api.rbac;

import com.fasterxml.jackson.annotation.JsonInclude;

import java.util.List;

/**
 * Permits verbs on resources or on other paths. There are no rules that deny.
 *
 * @param verbs such as {@code get}; {@code *} is every verb
 * @param apiGroups groups of the resources; {@code *} is every group
 * @param resources plurals, with a subresource as {@code tools/status}; {@code *} is everything,
 *     and {@code *}{@code /status} that subresource of everything
 * @param resourceNames names that the rule is restricted to; empty for all
 * @param nonResourceURLs paths outside the resources; {@code *} at the end is any rest
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PolicyRule(
        List<String> verbs,
        List<String> apiGroups,
        List<String> resources,
        List<String> resourceNames,
        List<String> nonResourceURLs) {

    public PolicyRule {
        verbs = copy(verbs);
        apiGroups = copy(apiGroups);
        resources = copy(resources);
        resourceNames = copy(resourceNames);
        nonResourceURLs = copy(nonResourceURLs);
    }

    private static List<String> copy(List<String> values) {
        return values == null ? List.of() : List.copyOf(values);
    }
}
