package dev.orloj.api.rbac;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Kind;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.NameRule;
import dev.orloj.api.codec.Schema;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Describes and validates bindings as kube-apiserver does, with its texts. */
final class BindingRules {

    private static final FieldPath ROLE_REF = FieldPath.of("roleRef");

    private BindingRules() {}

    /** Returns the descriptor of a kind of binding, whose schema has the name of the kind. */
    static <B extends Binding> KindDescriptor<B> descriptor(Kind<B> kind) {
        return KindDescriptor.of(
                        kind, Schema.fromResource(kind.type(), kind.singular() + ".schema.json"))
                .nameRule(NameRule.PATH_SEGMENT)
                .normalizer(BindingRules::normalize)
                .validator(binding -> validate(binding, kind.namespaced()))
                .updateValidator(BindingRules::validateUpdate)
                .overwritable()
                .strategicMerge()
                .columns(RbacColumns.binding())
                .build();
    }

    /** Adds the groups that clients may leave out. */
    static void normalize(ObjectNode document) {
        if (document.path("roleRef") instanceof ObjectNode ref && isEmpty(ref, "apiGroup")) {
            ref.put("apiGroup", Role.GROUP);
        }
        for (JsonNode each : document.path("subjects")) {
            if (each instanceof ObjectNode subject
                    && isEmpty(subject, "apiGroup")
                    && Set.of(Subject.USER, Subject.GROUP)
                            .contains(subject.path("kind").asString(""))) {
                subject.put("apiGroup", Role.GROUP);
            }
        }
    }

    private static boolean isEmpty(ObjectNode node, String field) {
        JsonNode value = node.path(field);
        return value.isMissingNode() || value.isNull() || value.asString("x").isEmpty();
    }

    static List<FieldError> validate(Binding binding, boolean namespaced) {
        List<FieldError> errors = new ArrayList<>();
        RoleRef role = binding.roleRef();
        if (!role.apiGroup().equals(Role.GROUP)) {
            errors.add(
                    FieldError.notSupported(
                            ROLE_REF.child("apiGroup"), role.apiGroup(), List.of(Role.GROUP)));
        }
        List<String> kinds = namespaced ? List.of("Role", "ClusterRole") : List.of("ClusterRole");
        if (!kinds.contains(role.kind())) {
            errors.add(FieldError.notSupported(ROLE_REF.child("kind"), role.kind(), kinds));
        }
        checkName(ROLE_REF.child("name"), role.name(), NameRule.PATH_SEGMENT, errors);
        for (int i = 0; i < binding.subjects().size(); i++) {
            FieldPath path = FieldPath.of("subjects").index(i);
            validate(binding.subjects().get(i), path, namespaced, errors);
        }
        return errors;
    }

    private static void validate(
            Subject subject, FieldPath path, boolean namespaced, List<FieldError> errors) {
        switch (subject.kind()) {
            case Subject.SERVICE_ACCOUNT -> {
                checkName(path.child("name"), subject.name(), NameRule.SUBDOMAIN, errors);
                checkGroup(path, subject, "", errors);
                if (!namespaced && subject.namespace().isEmpty()) {
                    errors.add(FieldError.required(path.child("namespace"), ""));
                }
            }
            case Subject.USER, Subject.GROUP -> {
                if (subject.name().isEmpty()) {
                    errors.add(FieldError.required(path.child("name"), ""));
                }
                checkGroup(path, subject, Role.GROUP, errors);
            }
            default ->
                    errors.add(
                            FieldError.notSupported(
                                    path.child("kind"),
                                    subject.kind(),
                                    List.of(Subject.SERVICE_ACCOUNT, Subject.USER, Subject.GROUP)));
        }
    }

    private static void checkName(
            FieldPath path, String name, NameRule rule, List<FieldError> errors) {
        if (name.isEmpty()) {
            errors.add(FieldError.required(path, ""));
        } else {
            rule.check(path, name).ifPresent(errors::add);
        }
    }

    private static void checkGroup(
            FieldPath path, Subject subject, String group, List<FieldError> errors) {
        if (!subject.apiGroup().equals(group)) {
            errors.add(
                    FieldError.notSupported(
                            path.child("apiGroup"), subject.apiGroup(), List.of(group)));
        }
    }

    /** Rejects another role: who may create a binding of it is checked at its creation. */
    static List<FieldError> validateUpdate(Binding before, Binding after) {
        return before.roleRef().equals(after.roleRef())
                ? List.of()
                : List.of(FieldError.invalid(ROLE_REF, after.roleRef(), "cannot change roleRef"));
    }
}
