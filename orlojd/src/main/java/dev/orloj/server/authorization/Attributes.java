package dev.orloj.server.authorization;

/** What a request does, as far as rules can refer to it. */
public sealed interface Attributes {

    String verb();

    /**
     * A request for resources.
     *
     * @param resource the plural
     * @param subresource empty for the resource itself
     * @param namespace empty for resources without a namespace, and for all namespaces
     * @param name empty for all names, and for one that is to be generated
     */
    record OfResource(
            String verb,
            String group,
            String resource,
            String subresource,
            String namespace,
            String name)
            implements Attributes {

        /** Returns the resource with its subresource, such as {@code tools/status}. */
        public String combined() {
            return subresource.isEmpty() ? resource : resource + "/" + subresource;
        }
    }

    /**
     * A request for another path.
     *
     * @param verb the HTTP method in lower case
     */
    record OfPath(String verb, String path) implements Attributes {}
}
