package dev.orloj.api.rbac;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;

import java.util.ArrayList;
import java.util.List;

/** Validates the rules of a role as kube-apiserver does, with its texts. */
final class PolicyRules {

    private PolicyRules() {}

    static List<FieldError> validate(List<PolicyRule> rules, boolean namespaced) {
        List<FieldError> errors = new ArrayList<>();
        for (int i = 0; i < rules.size(); i++) {
            validate(rules.get(i), FieldPath.of("rules").index(i), namespaced, errors);
        }
        return errors;
    }

    private static void validate(
            PolicyRule rule, FieldPath path, boolean namespaced, List<FieldError> errors) {
        if (rule.verbs().isEmpty()) {
            errors.add(
                    FieldError.required(
                            path.child("verbs"), "verbs must contain at least one value"));
        }
        if (!rule.nonResourceURLs().isEmpty()) {
            validateUrls(rule, path.child("nonResourceURLs"), namespaced, errors);
            return;
        }
        if (rule.apiGroups().isEmpty()) {
            errors.add(
                    FieldError.required(
                            path.child("apiGroups"),
                            "resource rules must supply at least one api group"));
        }
        if (rule.resources().isEmpty()) {
            errors.add(
                    FieldError.required(
                            path.child("resources"),
                            "resource rules must supply at least one resource"));
        }
    }

    private static void validateUrls(
            PolicyRule rule, FieldPath path, boolean namespaced, List<FieldError> errors) {
        if (namespaced) {
            errors.add(
                    FieldError.invalid(
                            path,
                            rule.nonResourceURLs(),
                            "namespaced rules cannot apply to non-resource URLs"));
        }
        if (!rule.apiGroups().isEmpty()
                || !rule.resources().isEmpty()
                || !rule.resourceNames().isEmpty()) {
            errors.add(
                    FieldError.invalid(
                            path,
                            rule.nonResourceURLs(),
                            "rules cannot apply to both regular resources and non-resource URLs"));
        }
    }
}
