package dev.orloj.server.registry;

import dev.orloj.api.ApiException;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.server.admission.Admission;
import dev.orloj.server.admission.Received;
import dev.orloj.server.store.Mutation;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;

/**
 * Updates one resource: reduces the document of a client to the fields that it may change. Belongs
 * to one write, which may run it more than once.
 */
final class ProposedUpdate implements Mutation {

    /** Computes the proposed document from the stored one. */
    @FunctionalInterface
    interface Proposal {
        Received of(ObjectNode before);
    }

    private final Admission admission;
    private final FieldOwnership ownership;
    private final KindDescriptor<?> kind;
    private final ResourceKey key;
    private final Part part;
    private final WriteOptions options;
    private final Proposal proposal;
    private List<String> warnings = List.of();

    ProposedUpdate(
            Admission admission,
            FieldOwnership ownership,
            KindDescriptor<?> kind,
            ResourceKey key,
            Part part,
            WriteOptions options,
            Proposal proposal) {
        this.admission = admission;
        this.ownership = ownership;
        this.kind = kind;
        this.key = key;
        this.part = part;
        this.options = options;
        this.proposal = proposal;
    }

    /** Returns the warnings of the latest run. */
    List<String> warnings() {
        return warnings;
    }

    @Override
    public Outcome apply(Optional<ObjectNode> current) {
        Kind<?> type = kind.kind();
        ObjectNode before = current.orElseThrow(() -> ApiException.notFound(type, key.name()));
        Received received = proposal.of(before.deepCopy());
        warnings = received.warnings();
        ObjectNode proposed = received.document();
        requireSameKey(proposed, key);
        Metadata.requireSame(
                type,
                before,
                Metadata.text(proposed, "uid"),
                Metadata.text(proposed, "resourceVersion"));
        ObjectNode after =
                switch (part) {
                    case RESOURCE -> withHoldOf(before, withStatusOf(before, proposed));
                    case STATUS -> withStatusOf(proposed, before.deepCopy());
                    case FINALIZERS -> withHoldOf(proposed, before.deepCopy());
                };
        Metadata.inherit(after, before);
        admission.admit(kind, after, Optional.of(before), options.user());
        Metadata.requireNoNewFinalizers(type, before, after);
        ownership.updated(kind, part, before, after, options);
        return outcome(kind, before, after);
    }

    static Outcome outcome(KindDescriptor<?> kind, ObjectNode before, ObjectNode after) {
        if (Content.isSame(before, after)) {
            return new Outcome.Keep(before);
        }
        if (!Content.isSameDesire(before, after)) {
            Metadata.bumpGeneration(after);
        }
        return Metadata.isDeleting(after) && !Finalizers.hold(kind, after)
                ? new Outcome.Remove(after)
                : new Outcome.Put(after);
    }

    private ObjectNode withStatusOf(ObjectNode source, ObjectNode document) {
        if (kind.hasStatus()) {
            Metadata.copy("status", source, document);
        }
        return document;
    }

    private ObjectNode withHoldOf(ObjectNode source, ObjectNode document) {
        if (kind.heldByContent()) {
            Finalizers.copyOfSpec(source, document);
        }
        return document;
    }

    /**
     * @throws ApiException (BadRequest) when the document names another resource
     */
    static void requireSameKey(ObjectNode proposed, ResourceKey key) {
        String name = Metadata.text(proposed, "name");
        if (!name.isEmpty() && !name.equals(key.name())) {
            throw ApiException.badRequest(
                    "the name of the object (%s) does not match the name on the URL (%s)"
                            .formatted(name, key.name()));
        }
        requireNamespace(proposed, key.namespace());
    }

    /**
     * @throws ApiException (BadRequest) when the document names another namespace
     */
    static void requireNamespace(ObjectNode document, String namespace) {
        String given = Metadata.text(document, "namespace");
        if (!given.isEmpty() && !given.equals(namespace)) {
            throw ApiException.badRequest(
                    ("the namespace of the object (%s) does not match the namespace on the request"
                                    + " (%s)")
                            .formatted(given, namespace));
        }
    }
}
