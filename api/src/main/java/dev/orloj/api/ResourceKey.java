package dev.orloj.api;

/**
 * Namespace and name of a resource; the namespace of a cluster-scoped one is empty. Ordered by
 * namespace, then name, as lists are.
 */
public record ResourceKey(String namespace, String name) implements Comparable<ResourceKey> {

    @Override
    public int compareTo(ResourceKey other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    /** {@code namespace/name}, or the bare name of a cluster-scoped resource. */
    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
