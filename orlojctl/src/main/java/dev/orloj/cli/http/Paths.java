package dev.orloj.cli.http;

import dev.orloj.api.ApiException;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;

/** Builds the paths of resources. */
public final class Paths {

    private Paths() {}

    /** Returns the collection of a kind; in all namespaces when the namespace is empty. */
    public static String of(Kind<?> kind, String namespace) {
        String root = kind.group().isEmpty() ? "/api/" : "/apis/" + kind.group() + "/";
        String scope =
                kind.namespaced() && !namespace.isEmpty()
                        ? "/namespaces/" + Request.encode(namespace)
                        : "";
        return root + kind.version() + scope + "/" + kind.plural();
    }

    public static String of(Kind<?> kind, ResourceKey key) {
        return below(of(kind, key.namespace()), key.name());
    }

    /**
     * Returns the path of a name in a collection.
     *
     * @throws ApiException for a name that would lead out of the collection
     */
    public static String below(String collection, String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..")) {
            throw ApiException.badRequest("\"" + name + "\" is not the name of a resource");
        }
        return collection + "/" + Request.encode(name);
    }
}
