package dev.orloj.api.rbac;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * A user, a group or a ServiceAccount that a binding grants its role to.
 *
 * @param kind {@code User}, {@code Group} or {@code ServiceAccount}
 * @param namespace of a ServiceAccount; empty means that of the binding
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Subject(String kind, String apiGroup, String name, String namespace) {

    public static final String USER = "User";
    public static final String GROUP = "Group";
    public static final String SERVICE_ACCOUNT = "ServiceAccount";

    public Subject {
        kind = kind == null ? "" : kind;
        apiGroup = apiGroup == null ? "" : apiGroup;
        name = name == null ? "" : name;
        namespace = namespace == null ? "" : namespace;
    }
}
