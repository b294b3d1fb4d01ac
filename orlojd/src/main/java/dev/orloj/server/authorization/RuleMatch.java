package dev.orloj.server.authorization;

import dev.orloj.api.rbac.PolicyRule;

import java.util.List;

/** Matches requests with rules, as kube-apiserver does. */
final class RuleMatch {

    static final String ALL = "*";

    private RuleMatch() {}

    static boolean matches(PolicyRule rule, Attributes request) {
        return hasOrAll(rule.verbs(), request.verb())
                && switch (request) {
                    case Attributes.OfResource resource -> matches(rule, resource);
                    case Attributes.OfPath path -> matchesPath(rule.nonResourceURLs(), path.path());
                };
    }

    private static boolean matches(PolicyRule rule, Attributes.OfResource request) {
        return hasOrAll(rule.apiGroups(), request.group())
                && matchesResource(rule.resources(), request)
                && (rule.resourceNames().isEmpty()
                        || rule.resourceNames().contains(request.name()));
    }

    /** Returns whether a rule permits a verb on a kind, on all resources or on single ones. */
    static boolean matchesKind(PolicyRule rule, String verb, String group, String resource) {
        return hasOrAll(rule.verbs(), verb)
                && hasOrAll(rule.apiGroups(), group)
                && hasOrAll(rule.resources(), resource);
    }

    /** A rule for a resource does not include its subresources. */
    private static boolean matchesResource(List<String> resources, Attributes.OfResource request) {
        return hasOrAll(resources, request.combined())
                || !request.subresource().isEmpty()
                        && resources.contains(ALL + "/" + request.subresource());
    }

    static boolean matchesPath(List<String> patterns, String path) {
        for (String pattern : patterns) {
            if (pattern.equals(ALL)
                    || pattern.equals(path)
                    || pattern.endsWith(ALL)
                            && path.startsWith(pattern.substring(0, pattern.length() - 1))) {
                return true;
            }
        }
        return false;
    }

    static boolean hasOrAll(List<String> values, String value) {
        return values.contains(ALL) || values.contains(value);
    }
}
