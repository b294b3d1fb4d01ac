package dev.orloj.runtime.catalog;

import dev.orloj.api.ResourceKey;

/**
 * Receives changes that clients would see in a list of tools. Called after the change on the thread
 * that changes the catalog; an implementation must return at once.
 */
@FunctionalInterface
public interface CatalogListener {

    /** A tool of this server was added, removed or changed. */
    void toolsChanged(ResourceKey server);

    /** Others of its prompts, resource templates or resources may be held now. */
    default void featuresChanged(ResourceKey server) {}
}
