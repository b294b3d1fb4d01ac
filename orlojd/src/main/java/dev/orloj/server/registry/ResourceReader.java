package dev.orloj.server.registry;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.server.store.table.DocumentList;

import tools.jackson.databind.node.ObjectNode;

/** Looks up resources of a kind. Safe for many threads. */
public interface ResourceReader {

    /**
     * @throws ApiException (NotFound)
     */
    ObjectNode get(KindDescriptor<?> kind, ResourceKey key);

    /**
     * @throws ApiException (BadRequest) when a field does not support selection or the continue
     *     token is invalid, (Expired) when the token is too old, (Timeout) when the revision is in
     *     the future
     */
    DocumentList list(KindDescriptor<?> kind, ListOptions options);

    /**
     * Returns the first page of a collection as of a revision.
     *
     * @throws ApiException (BadRequest) when a field does not support selection, (Expired) when the
     *     revision is too old, (Timeout) when it is in the future
     */
    DocumentList listAt(KindDescriptor<?> kind, ListOptions options, ResourceVersion revision);

    /**
     * @throws ApiException (BadRequest) when a field does not support selection, (Expired) when the
     *     revision is no longer available, or not yet
     */
    Watch<ObjectNode> watch(KindDescriptor<?> kind, WatchOptions options);

    /** Returns the latest revision at which a resource of the kind was written. */
    ResourceVersion head(KindDescriptor<?> kind);
}
