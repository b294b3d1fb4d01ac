package dev.orloj.controllers.sandbox;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.pod.PodTemplate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The policy of the operator for what manifests add to Pods. Immutable and thread-safe.
 *
 * @param metadataKeys the keys of labels and annotations that they may set: a key, or {@code
 *     DOMAIN/*} for all of a domain
 */
public record PodPolicy(List<String> metadataKeys) {

    /** Allows no labels and no annotations. */
    public static final PodPolicy DEFAULT = new PodPolicy(List.of());

    private static final String OPTION = "--pod-metadata-key";

    private static final Pattern KEY =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*|/\\*)?");

    /**
     * @throws IllegalArgumentException when a key is not one
     */
    public PodPolicy {
        metadataKeys = List.copyOf(metadataKeys);
        for (String key : metadataKeys) {
            if (!KEY.matcher(key).matches()) {
                throw new IllegalArgumentException(
                        "%s \"%s\" must be the key of a label or an annotation, such as example.com/team, or DOMAIN/* for all keys of a domain"
                                .formatted(OPTION, key));
            }
        }
    }

    /**
     * Returns what is not allowed in a template.
     *
     * @param runtime the RuntimeClass of all Pods; empty if each may choose one
     */
    List<FieldError> check(
            FieldPath path, PodTemplate template, PolicyLevel level, String runtime) {
        List<FieldError> errors = new ArrayList<>();
        checkKeys(path.child("labels"), template.labels().keySet(), errors);
        checkKeys(path.child("annotations"), template.annotations().keySet(), errors);
        if (!level.allows(PolicyLevel.BASELINE)) {
            forbid(
                    !template.tolerations().isEmpty(),
                    path.child("tolerations"),
                    level,
                    "nodes that are kept for other Pods",
                    errors);
            forbid(
                    !template.priorityClassName().isEmpty(),
                    path.child("priority_class_name"),
                    level,
                    "a priority, which can end other Pods",
                    errors);
        }
        String wanted = template.runtimeClassName();
        if (!runtime.isEmpty() && !wanted.isEmpty() && !wanted.equals(runtime)) {
            errors.add(
                    FieldError.invalid(
                            path.child("runtime_class_name"),
                            wanted,
                            "--tool-container-runtime sets \"%s\" for all servers; remove the field"
                                    .formatted(runtime)));
        }
        return errors;
    }

    private static void forbid(
            boolean present,
            FieldPath path,
            PolicyLevel level,
            String what,
            List<FieldError> errors) {
        if (present) {
            errors.add(
                    FieldError.forbidden(
                            path,
                            "the sandbox policy %s does not allow %s; remove it"
                                    .formatted(level, what)));
        }
    }

    private void checkKeys(FieldPath path, Collection<String> keys, List<FieldError> errors) {
        for (String key : keys) {
            if (metadataKeys.stream().noneMatch(allowed -> matches(allowed, key))) {
                errors.add(
                        FieldError.forbidden(
                                path.key(key),
                                "programs of the cluster act on it, so the operator of orlojd has to allow it with %s; allowed: %s"
                                        .formatted(
                                                OPTION,
                                                metadataKeys.isEmpty()
                                                        ? "none"
                                                        : String.join(", ", metadataKeys))));
            }
        }
    }

    private static boolean matches(String allowed, String key) {
        return allowed.endsWith("/*")
                ? key.startsWith(allowed.substring(0, allowed.length() - 1))
                : key.equals(allowed);
    }
}
