package dev.orloj.api.rbac;

/**
 * The role that a binding grants.
 *
 * @param kind {@code Role} or {@code ClusterRole}
 */
public record RoleRef(String apiGroup, String kind, String name) {

    public RoleRef {
        apiGroup = apiGroup == null ? "" : apiGroup;
        kind = kind == null ? "" : kind;
        name = name == null ? "" : name;
    }
}
