package dev.orloj.runtime.catalog;

import dev.orloj.api.ResourceKey;

/**
 * Hears of changes that an agent would see in a list of tools. Called on the threads that change
 * the catalogue, after the change: an implementation returns at once.
 */
@FunctionalInterface
public interface CatalogListener {

    /** A tool of this server came, went, or is defined in another way. */
    void toolsChanged(ResourceKey server);
}
