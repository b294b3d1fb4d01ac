package dev.orloj.server.registry;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.Status;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.server.admission.Admission;
import dev.orloj.server.admission.FieldValidation;
import dev.orloj.server.apply.Applier;
import dev.orloj.server.apply.ConflictException;
import dev.orloj.server.store.Mutation;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Applies a configuration to one resource, or to its status: creates or changes it. Belongs to one
 * write, which may run it more than once.
 */
final class ProposedApply implements Mutation {

    /**
     * Identifies the manager that applies.
     *
     * @param force whether to take over fields that other managers own
     */
    record Claim(WriteOptions options, boolean force) {}

    private final Admission admission;
    private final FieldOwnership ownership;
    private final KindDescriptor<?> kind;
    private final ResourceKey key;
    private final Part part;
    private final ObjectNode config;
    private final Claim claim;
    private final Consumer<ObjectNode> birth;
    private ApplyResult.Effect effect = ApplyResult.Effect.UNCHANGED;

    /**
     * @param config as {@link AppliedDocument} returns it
     * @param birth admits a new document
     */
    ProposedApply(
            Admission admission,
            FieldOwnership ownership,
            KindDescriptor<?> kind,
            ResourceKey key,
            Part part,
            ObjectNode config,
            Claim claim,
            Consumer<ObjectNode> birth) {
        this.admission = admission;
        this.ownership = ownership;
        this.kind = kind;
        this.key = key;
        this.part = part;
        this.config = config;
        this.claim = claim;
        this.birth = birth;
    }

    /** Returns the effect of the latest run. */
    ApplyResult.Effect effect() {
        return effect;
    }

    @Override
    public Outcome apply(Optional<ObjectNode> current) {
        try {
            return current.isPresent() ? change(current.get()) : create();
        } catch (ConflictException e) {
            throw conflict(e);
        }
    }

    private Outcome create() {
        Kind<?> type = kind.kind();
        if (part != Part.RESOURCE || !claim.options().subresource().isEmpty()) {
            throw ApiException.notFound(type, key.name());
        }
        String uid = Metadata.text(config, "uid");
        if (!uid.isEmpty()) {
            throw ApiException.conflict(
                    type,
                    key.name(),
                    ("uid mismatch: the provided object specified uid %s, and no existing object"
                                    + " was found")
                            .formatted(uid));
        }
        if (!Metadata.text(config, "resourceVersion").isEmpty()) {
            throw ApiException.conflict(type, key.name());
        }
        Applier.Outcome outcome = applied(config.objectNode());
        ObjectNode document = received(outcome);
        birth.accept(document);
        FieldOwnership.set(document, outcome.managed());
        effect = ApplyResult.Effect.CREATED;
        return new Outcome.Put(document);
    }

    private Outcome change(ObjectNode before) {
        Metadata.requireSame(
                kind.kind(),
                before,
                Metadata.text(config, "uid"),
                Metadata.text(config, "resourceVersion"));
        Applier.Outcome outcome = applied(before);
        ObjectNode after = received(outcome);
        Metadata.inherit(after, before);
        admission.admit(kind, after, Optional.of(before), claim.options().user());
        Metadata.requireNoNewFinalizers(kind.kind(), before, after);
        ownership.settle(before, after, outcome.managed());
        effect =
                Content.isSame(FieldOwnership.without(before), FieldOwnership.without(after))
                        ? ApplyResult.Effect.UNCHANGED
                        : ApplyResult.Effect.CONFIGURED;
        return ProposedUpdate.outcome(kind, before, after);
    }

    private Applier.Outcome applied(ObjectNode live) {
        ObjectNode wanted = config.deepCopy();
        admission.restoreSensitive(
                kind, wanted, live.isEmpty() ? Optional.empty() : Optional.of(live));
        return ownership.applied(kind, part, live, wanted, claim);
    }

    /** Drops applied nulls, which only keep other managers from setting the field. */
    private ObjectNode received(Applier.Outcome outcome) {
        return admission
                .receive(
                        kind,
                        new Document(outcome.document(), List.of(), Map.of()),
                        FieldValidation.IGNORE)
                .document();
    }

    private static ApiException conflict(ConflictException e) {
        List<Status.Cause> causes =
                e.conflicts().stream()
                        .map(
                                conflict ->
                                        new Status.Cause(
                                                "FieldManagerConflict",
                                                "conflict with " + conflict.ownerText(),
                                                conflict.field()))
                        .toList();
        return new ApiException(
                ErrorReason.CONFLICT,
                e.getMessage(),
                new Status.Details("", "", "", "", causes, 0));
    }
}
