package dev.orloj.api.rbac;

import dev.orloj.api.Resource;

import java.util.List;

/** Grants the rules of a role to subjects. */
public sealed interface Binding extends Resource permits RoleBinding, ClusterRoleBinding {

    RoleRef roleRef();

    List<Subject> subjects();
}
