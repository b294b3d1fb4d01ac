package dev.orloj.api.rbac;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.codec.KindDescriptor;

import java.util.List;

/** Grants a ClusterRole in every namespace, for resources without one, and for other paths. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "roleRef", "subjects"})
public record ClusterRoleBinding(
        String apiVersion,
        String kind,
        ObjectMeta metadata,
        RoleRef roleRef,
        List<Subject> subjects)
        implements Binding {

    public static final Kind<ClusterRoleBinding> KIND =
            new Kind<>(
                    Role.GROUP,
                    "v1",
                    "ClusterRoleBinding",
                    "clusterrolebindings",
                    false,
                    ClusterRoleBinding.class);

    public static final KindDescriptor<ClusterRoleBinding> DESCRIPTOR =
            BindingRules.descriptor(KIND);

    public ClusterRoleBinding {
        subjects = subjects == null ? List.of() : List.copyOf(subjects);
    }

    @Override
    public ClusterRoleBinding withMetadata(ObjectMeta replacement) {
        return new ClusterRoleBinding(apiVersion, kind, replacement, roleRef, subjects);
    }
}
