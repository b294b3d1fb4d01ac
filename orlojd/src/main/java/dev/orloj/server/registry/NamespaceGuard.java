package dev.orloj.server.registry;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.Status;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;
import dev.orloj.api.v1.Event;
import dev.orloj.api.v1.Namespace;
import dev.orloj.server.store.DocumentList;
import dev.orloj.server.store.PostgresStore;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** What holds between a namespace and the resources in it. */
final class NamespaceGuard {

    private final PostgresStore store;
    private final Scheme scheme;

    NamespaceGuard(PostgresStore store, Scheme scheme) {
        this.store = store;
        this.scheme = scheme;
    }

    /**
     * @throws ApiException (NotFound) when there is no such namespace, (Forbidden) when it is being
     *     deleted
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
     * @throws ApiException (Forbidden) for the default namespace, (Conflict) for one that holds
     *     resources; events do not count
     */
    void requireRemovable(String namespace) {
        if (namespace.equals(Namespace.DEFAULT)) {
            throw ApiException.forbidden(
                    Namespace.KIND, namespace, "this namespace may not be deleted");
        }
        List<String> contents = new ArrayList<>();
        for (KindDescriptor<?> kind : scheme.descriptors()) {
            if (kind.kind().namespaced() && !kind.kind().equals(Event.KIND)) {
                count(kind, namespace, contents);
            }
        }
        if (!contents.isEmpty()) {
            throw ApiException.conflict(
                    Namespace.KIND,
                    namespace,
                    "it still holds %s; delete them first".formatted(String.join(", ", contents)));
        }
    }

    private void count(KindDescriptor<?> kind, String namespace, List<String> contents) {
        DocumentList found = store.list(kind, ListOptions.inNamespace(namespace).page(3, ""));
        if (!found.items().isEmpty()) {
            List<String> names = found.items().stream().map(d -> Metadata.text(d, "name")).toList();
            String more = found.continueToken().isEmpty() ? "" : " and more";
            contents.add(
                    "%s %s%s"
                            .formatted(
                                    kind.kind().groupResource(), String.join(", ", names), more));
        }
    }
}
