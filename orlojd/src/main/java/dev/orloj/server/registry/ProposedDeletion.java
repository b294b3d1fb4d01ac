package dev.orloj.server.registry;

import dev.orloj.api.ApiException;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.server.store.Mutation;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.Optional;

/**
 * The deletion of one resource: at once, or, as long as finalizers hold it, by a mark that cannot
 * be taken off again.
 */
record ProposedDeletion(Kind<?> kind, ResourceKey key, DeleteOptions options, Instant now)
        implements Mutation {

    @Override
    public Outcome apply(Optional<ObjectNode> current) {
        ObjectNode document = current.orElseThrow(() -> ApiException.notFound(kind, key.name()));
        Metadata.requireSame(kind, document, options.uid(), options.resourceVersion().toString());
        if (!Metadata.hasFinalizers(document)) {
            return new Outcome.Remove(document);
        }
        if (Metadata.isDeleting(document)) {
            return new Outcome.Keep(document);
        }
        Metadata.markDeleted(document, now);
        return new Outcome.Put(document);
    }
}
