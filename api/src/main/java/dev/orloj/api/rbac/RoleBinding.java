package dev.orloj.api.rbac;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.codec.KindDescriptor;

import java.util.List;

/** Grants a Role or a ClusterRole in its own namespace. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "roleRef", "subjects"})
public record RoleBinding(
        String apiVersion,
        String kind,
        ObjectMeta metadata,
        RoleRef roleRef,
        List<Subject> subjects)
        implements Binding {

    public static final Kind<RoleBinding> KIND =
            new Kind<>(Role.GROUP, "v1", "RoleBinding", "rolebindings", true, RoleBinding.class);

    public static final KindDescriptor<RoleBinding> DESCRIPTOR = BindingRules.descriptor(KIND);

    public RoleBinding {
        subjects = subjects == null ? List.of() : List.copyOf(subjects);
    }

    @Override
    public RoleBinding withMetadata(ObjectMeta replacement) {
        return new RoleBinding(apiVersion, kind, replacement, roleRef, subjects);
    }
}
