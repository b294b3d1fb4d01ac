package dev.orloj.api.pod;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.codec.NameRule;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Validates what a manifest adds to a Pod beyond its schema. The API server of the cluster has the
 * last word, but only when the server starts.
 */
public final class PodTemplateRules {

    private static final int MAX_KEY_PREFIX = 253;
    private static final int MAX_NAME = 63;
    private static final int MAX_ANNOTATION_BYTES = 16 * 1024;

    private static final Pattern NAME =
            Pattern.compile("[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?");

    private static final Pattern DOMAIN = Pattern.compile("[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?");

    /** Labels and annotations with these domains are those of orlojd, or weaken the isolation. */
    private static final Set<String> OWN_DOMAINS =
            Set.of(
                    "orloj.dev",
                    "container.apparmor.security.beta.kubernetes.io",
                    "container.seccomp.security.alpha.kubernetes.io",
                    "seccomp.security.alpha.kubernetes.io");

    private static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    private static final String KEY =
            "must be a name of at most 63 letters, digits, '-', '_' and '.', with an optional"
                    + " domain before it, such as example.com/name";

    private static final String VALUE =
            "must be empty, or at most 63 letters, digits, '-', '_' and '.', with a letter or"
                    + " digit at both ends";

    private final List<FieldError> errors;

    private PodTemplateRules(List<FieldError> errors) {
        this.errors = errors;
    }

    /**
     * @param path of the template
     * @param errors receives what is wrong
     */
    public static void validate(FieldPath path, PodTemplate template, List<FieldError> errors) {
        PodTemplateRules rules = new PodTemplateRules(errors);
        rules.checkLabels(path.child("node_selector"), template.nodeSelector());
        for (int i = 0; i < template.tolerations().size(); i++) {
            rules.check(path.child("tolerations").index(i), template.tolerations().get(i));
        }
        if (template.affinity() != null) {
            AffinityRules.validate(path.child("affinity"), template.affinity(), errors);
        }
        rules.checkName(path.child("priority_class_name"), template.priorityClassName());
        if (template.priorityClassName().startsWith("system-")) {
            errors.add(
                    FieldError.invalid(
                            path.child("priority_class_name"),
                            template.priorityClassName(),
                            "is for the programs of the cluster itself; name another"
                                    + " PriorityClass"));
        }
        rules.checkName(path.child("runtime_class_name"), template.runtimeClassName());
        for (int i = 0; i < template.imagePullSecrets().size(); i++) {
            rules.checkName(
                    path.child("image_pull_secrets").index(i), template.imagePullSecrets().get(i));
        }
        rules.checkLabels(path.child("labels"), template.labels());
        rules.checkNotOwn(path.child("labels"), template.labels());
        rules.checkKeys(path.child("annotations"), template.annotations());
        rules.checkNotOwn(path.child("annotations"), template.annotations());
        rules.checkSize(path.child("annotations"), template.annotations());
    }

    private void checkName(FieldPath path, String name) {
        if (!name.isEmpty()) {
            NameRule.SUBDOMAIN.check(path, name).ifPresent(errors::add);
        }
    }

    private void check(FieldPath path, Toleration toleration) {
        boolean exists = toleration.operator().equals("Exists");
        if (toleration.key().isEmpty() && !exists) {
            errors.add(
                    FieldError.invalid(
                            path.child("operator"),
                            toleration.operator(),
                            "must be Exists without a key, which tolerates all taints; or give"
                                    + " key"));
        }
        if (!toleration.key().isEmpty() && !isKey(toleration.key())) {
            errors.add(FieldError.invalid(path.child("key"), toleration.key(), KEY));
        }
        if (exists && !toleration.value().isEmpty()) {
            errors.add(
                    FieldError.invalid(
                            path.child("value"),
                            toleration.value(),
                            "must be absent with operator Exists; remove it, or set operator"
                                    + " Equal"));
        }
        if (!isValue(toleration.value())) {
            errors.add(FieldError.invalid(path.child("value"), toleration.value(), VALUE));
        }
        if (toleration.tolerationSeconds() != null && !toleration.effect().equals("NoExecute")) {
            errors.add(
                    FieldError.invalid(
                            path.child("effect"),
                            toleration.effect(),
                            "must be NoExecute with tolerationSeconds"));
        }
    }

    private void checkLabels(FieldPath path, Map<String, String> labels) {
        checkKeys(path, labels);
        labels.forEach(
                (key, value) -> {
                    if (!isValue(value)) {
                        errors.add(FieldError.invalid(path.key(key), value, VALUE));
                    }
                });
    }

    private void checkKeys(FieldPath path, Map<String, String> entries) {
        for (String key : entries.keySet()) {
            if (!isKey(key)) {
                errors.add(FieldError.invalid(path, key, KEY));
            }
        }
    }

    private void checkNotOwn(FieldPath path, Map<String, String> entries) {
        for (String key : entries.keySet()) {
            String domain = key.substring(0, Math.max(0, key.indexOf('/')));
            if (key.equals(MANAGED_BY)
                    || OWN_DOMAINS.contains(domain)
                    || domain.endsWith(".orloj.dev")) {
                errors.add(
                        FieldError.forbidden(
                                path.key(key), "only orlojd decides about this key; remove it"));
            }
        }
    }

    private void checkSize(FieldPath path, Map<String, String> annotations) {
        int size =
                annotations.entrySet().stream()
                        .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
                        .sum();
        if (size > MAX_ANNOTATION_BYTES) {
            errors.add(FieldError.tooLong(path, MAX_ANNOTATION_BYTES));
        }
    }

    private static boolean isKey(String key) {
        int slash = key.indexOf('/');
        String domain = key.substring(0, Math.max(0, slash));
        return isName(key.substring(slash + 1))
                && (slash < 0
                        || domain.length() <= MAX_KEY_PREFIX && DOMAIN.matcher(domain).matches());
    }

    private static boolean isValue(String value) {
        return value.isEmpty() || isName(value);
    }

    private static boolean isName(String text) {
        return text.length() <= MAX_NAME && NAME.matcher(text).matches();
    }
}
