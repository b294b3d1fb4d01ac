package dev.orloj.server.registry;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.core.Namespace;
import dev.orloj.server.store.Mutation;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.Optional;

/**
 * Deletes one resource: at once, or, while finalizers remain, by an irrevocable mark. Deleting it
 * again changes nothing, unless the propagation policy for its dependents differs.
 */
record ProposedDeletion(KindDescriptor<?> kind, ResourceKey key, DeleteOptions options, Instant now)
        implements Mutation {

    @Override
    public Outcome apply(Optional<ObjectNode> current) {
        ObjectNode document =
                current.orElseThrow(() -> ApiException.notFound(kind.kind(), key.name()));
        Metadata.requireSame(
                kind.kind(), document, options.uid(), options.resourceVersion().toString());
        boolean marked = Metadata.isDeleting(document);
        if (options.propagation() != null) {
            Finalizers.set(document, options.propagation().notedIn(Finalizers.of(document)));
        }
        if (kind.heldByContent() && !marked) {
            Finalizers.addToSpec(document, Namespace.CONTENT_FINALIZER);
            document.withObject("/status").put("phase", Namespace.TERMINATING);
        }
        if (!Finalizers.hold(kind, document)) {
            return new Outcome.Remove(document);
        }
        if (!marked) {
            Metadata.markDeleted(document, now);
        }
        return new Outcome.Put(document);
    }
}
