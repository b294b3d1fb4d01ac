package dev.orloj.api;

/**
 * Identity of a kind and the record that implements it.
 *
 * @param group API group, empty for the core group
 * @param version version within the group
 * @param name name of the kind, such as {@code McpServer}
 * @param plural name in paths, such as {@code mcpservers}
 * @param namespaced whether its resources are in a namespace
 * @param type the record
 */
public record Kind<R extends Resource>(
        String group,
        String version,
        String name,
        String plural,
        boolean namespaced,
        Class<R> type) {

    /** Returns {@code orloj.dev/v1}, or {@code v1} for the core group. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /**
     * Returns {@code mcpservers.orloj.dev}, or only the plural for the core group. Errors use this
     * name.
     */
    public String groupResource() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /** Returns whether the kind is not part of Kubernetes itself. */
    public boolean isCustom() {
        return group.contains(".") && !group.endsWith(".k8s.io");
    }

    /** Returns the lowercase singular, as in {@code kubectl get mcpserver}. */
    public String singular() {
        return name.toLowerCase(java.util.Locale.ROOT);
    }

    @Override
    public String toString() {
        return groupResource();
    }
}
