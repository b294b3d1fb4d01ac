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

/** Where resources of a kind are looked up. Safe for many threads. */
public interface ResourceReader {

    /**
     * @throws ApiException (NotFound)
     */
    ObjectNode get(KindDescriptor<?> kind, ResourceKey key);

    /**
     * @throws ApiException (BadRequest) when a field cannot be selected by or the continue token is
     *     none, (Expired) when it is too old, (Timeout) when the revision is one of the future
     */
    DocumentList list(KindDescriptor<?> kind, ListOptions options);

    /**
     * The first page of a collection as it was at a revision.
     *
     * @throws ApiException (BadRequest) when a field cannot be selected by, (Expired) when the
     *     revision is too old, (Timeout) when it is one of the future
     */
    DocumentList listAt(KindDescriptor<?> kind, ListOptions options, ResourceVersion revision);

    /**
     * @throws ApiException (BadRequest) when a field cannot be selected by, (Expired) when the
     *     revision is not known any more, or not yet
     */
    Watch<ObjectNode> watch(KindDescriptor<?> kind, WatchOptions options);

    /** The newest revision that resources of the kind were written at. */
    ResourceVersion head(KindDescriptor<?> kind);
}
