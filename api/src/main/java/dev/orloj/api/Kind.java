package dev.orloj.api;

/**
 * Identity of a kind and the record that carries it.
 *
 * @param group API group, empty for the core group
 * @param version version within the group
 * @param name name of the kind, such as {@code McpServer}
 * @param plural name in paths, such as {@code mcpservers}
 * @param namespaced whether its resources live in a namespace
 * @param type the record
 */
public record Kind<R extends Resource>(
        String group,
        String version,
        String name,
        String plural,
        boolean namespaced,
        Class<R> type) {

    /** {@code orloj.dev/v1}, or {@code v1} for the core group. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** {@code mcpservers.orloj.dev}, or the plural alone for the core group: how errors name it. */
    public String groupResource() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /** Whether Kubernetes itself does not have it. */
    public boolean isCustom() {
        return group.contains(".") && !group.endsWith(".k8s.io");
    }

    /** Lower-case singular, as {@code kubectl get mcpserver} spells it. */
    public String singular() {
        return name.toLowerCase(java.util.Locale.ROOT);
    }

    @Override
    public String toString() {
        return groupResource();
    }
}
