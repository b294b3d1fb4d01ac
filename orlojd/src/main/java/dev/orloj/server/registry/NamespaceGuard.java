package dev.orloj.server.registry;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.Status;
import dev.orloj.api.core.Namespace;
import dev.orloj.server.store.PostgresStore;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** Enforces the rules between a namespace and its resources. */
final class NamespaceGuard {

    private final PostgresStore store;

    NamespaceGuard(PostgresStore store) {
        this.store = store;
    }

    /**
     * @throws ApiException (NotFound) when the namespace does not exist, (Forbidden) when it is
     *     being deleted
     */
    void requireOpen(Kind<?> kind, ResourceKey key) {
        String namespace = key.namespace();
        ObjectNode found =
                store.find(Namespace.DESCRIPTOR, new ResourceKey("", namespace))
                        .orElseThrow(() -> ApiException.notFound(Namespace.KIND, namespace));
        if (Metadata.isDeleting(found)) {
            String why =
                    "unable to create new content in namespace %s because it is being terminated"
                            .formatted(namespace);
            Status.Cause cause =
                    new Status.Cause(
                            "NamespaceTerminating",
                            "namespace %s is being terminated".formatted(namespace),
                            "metadata.namespace");
            throw new ApiException(
                    ErrorReason.FORBIDDEN,
                    "%s \"%s\" is forbidden: %s".formatted(kind.groupResource(), key.name(), why),
                    new Status.Details(
                            key.name(), kind.group(), kind.plural(), "", List.of(cause), 0));
        }
    }

    /**
     * @throws ApiException (Forbidden) for a permanent namespace
     */
    static void requireRemovable(String namespace) {
        if (Namespace.PERMANENT.contains(namespace)) {
            throw ApiException.forbidden(
                    Namespace.KIND, namespace, "this namespace may not be deleted");
        }
    }
}
