package dev.orloj.cli.http;

import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;

/** Where resources are. */
public final class Paths {

    private Paths() {}

    /** The collection of a kind; every namespace when that is empty. */
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

    /** What has that name in a collection. */
    public static String below(String collection, String name) {
        return collection + "/" + Request.encode(name);
    }
}
