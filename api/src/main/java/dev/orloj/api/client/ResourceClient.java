package dev.orloj.api.client;

import dev.orloj.api.ApiException;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;

import tools.jackson.databind.node.ObjectNode;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Reads and writes resources. Every method may throw {@link ApiException}; its reason says what
 * went wrong. Implementations must be thread-safe.
 *
 * <p>Returned resources have the resourceVersion at which they were read or written. A write that
 * changes nothing keeps it.
 */
public interface ResourceClient {

    /** Returns the resource, or empty if it does not exist. */
    <R extends Resource> Optional<R> find(Kind<R> kind, ResourceKey key);

    /**
     * Returns the resource.
     *
     * @throws ApiException (NotFound) when it does not exist
     */
    default <R extends Resource> R get(Kind<R> kind, ResourceKey key) {
        return find(kind, key).orElseThrow(() -> ApiException.notFound(kind, key.name()));
    }

    /**
     * Returns the revision of the newest change of the collection, or a later one if the store has
     * forgotten that change; unset when there was none. A watch that has reached this revision has
     * delivered all changes that were made before this call.
     *
     * <p>The default reads the whole collection, and does not know of deletions.
     */
    default <R extends Resource> ResourceVersion newestChange(Kind<R> kind) {
        return list(kind, ListOptions.everything()).items().stream()
                .map(resource -> resource.metadata().resourceVersion())
                .max(Comparator.naturalOrder())
                .orElse(ResourceVersion.UNSET);
    }

    /** Returns a page of the collection. All pages show the same revision. */
    <R extends Resource> ResourceList<R> list(Kind<R> kind, ListOptions options);

    /**
     * Watches every change after {@link WatchOptions#from()}, in commit order, each exactly once.
     *
     * @throws ApiException (Expired) when the store no longer has that revision: list again
     */
    <R extends Resource> Watch<R> watch(Kind<R> kind, WatchOptions options);

    /**
     * Stores a new resource. Its status is dropped.
     *
     * @throws ApiException (AlreadyExists, Invalid)
     */
    <R extends Resource> R create(Kind<R> kind, R resource);

    /**
     * Replaces metadata and desired state. The status stays.
     *
     * @throws ApiException (Conflict) when the resourceVersion is not the stored one
     */
    <R extends Resource> R update(Kind<R> kind, R resource);

    /** Replaces the status. Everything else stays. Conflicts like {@link #update}. */
    <R extends Resource> R updateStatus(Kind<R> kind, R resource);

    /**
     * Replaces the finalizers in the spec of a resource that its content keeps, such as a
     * namespace. Everything else stays. Conflicts like {@link #update}.
     */
    <R extends Resource> R updateFinalizers(Kind<R> kind, R resource);

    /** Applies a JSON merge patch (RFC 7396). */
    <R extends Resource> R patch(Kind<R> kind, ResourceKey key, ObjectNode mergePatch);

    /**
     * Deletes the resource, or marks it for deletion if it has finalizers.
     *
     * @throws ApiException (NotFound) when it does not exist, (Conflict) when a precondition fails
     */
    <R extends Resource> void delete(Kind<R> kind, ResourceKey key, DeleteOptions options);

    /**
     * Performs many writes of one kind. A store does so in one transaction, all or none. The
     * default performs them one by one and stops at the first that fails.
     */
    default <R extends Resource> void writeAll(Kind<R> kind, List<Write<R>> writes) {
        for (Write<R> write : writes) {
            switch (write) {
                case Write.Create<R>(R resource) -> create(kind, resource);
                case Write.Update<R>(R resource) -> update(kind, resource);
                case Write.Delete<R>(ResourceKey key, DeleteOptions options) ->
                        delete(kind, key, options);
            }
        }
    }
}
