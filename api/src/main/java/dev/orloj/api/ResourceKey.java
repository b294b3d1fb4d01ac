package dev.orloj.api;

/**
 * Namespace and name of a resource. The namespace of a cluster-scoped resource is empty. Ordered by
 * namespace, then name, like lists.
 */
public record ResourceKey(String namespace, String name) implements Comparable<ResourceKey> {

    @Override
    public int compareTo(ResourceKey other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    /** Returns {@code namespace/name}, or only the name of a cluster-scoped resource. */
    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
