package dev.orloj.server.rest.call;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;

/** How far the catalog of this process follows the store. Thread-safe. */
@FunctionalInterface
public interface CatalogFreshness {

    /**
     * Waits until the catalog reflects a Tool as the store holds it now; returns at once if there
     * is none.
     *
     * @throws ApiException (Timeout) when the catalog does not reach the store in time
     */
    void await(ResourceKey tool) throws InterruptedException;
}
