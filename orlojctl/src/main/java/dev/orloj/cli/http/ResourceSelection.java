package dev.orloj.cli.http;

import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;

/**
 * Selects resources of a kind.
 *
 * @param namespace empty for all
 * @param labels a label selector as the user wrote it; empty for none
 * @param fields a field selector as the user wrote it; empty for none
 */
public record ResourceSelection(Kind<?> kind, String namespace, String labels, String fields) {

    public static ResourceSelection everything(Kind<?> kind, String namespace) {
        return new ResourceSelection(kind, namespace, "", "");
    }

    public static ResourceSelection one(Kind<?> kind, ResourceKey key) {
        return new ResourceSelection(kind, key.namespace(), "", "metadata.name=" + key.name());
    }

    /** Returns a request for the collection with these selectors. */
    public Request request() {
        return Request.get(Paths.of(kind, namespace))
                .with("labelSelector", labels)
                .with("fieldSelector", fields);
    }
}
