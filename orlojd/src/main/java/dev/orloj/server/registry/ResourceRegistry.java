package dev.orloj.server.registry;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;
import dev.orloj.server.admission.Admission;
import dev.orloj.server.admission.Received;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.store.Mutation;
import dev.orloj.server.store.PostgresStore;
import dev.orloj.server.store.table.DocumentList;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.random.RandomGenerator;

/**
 * Implements the verbs of the resource API for documents of any kind: admission in front, the store
 * behind. Documents are in plain text here, including sensitive values. Safe for many threads.
 *
 * <p>A write that changes nothing keeps the resourceVersion. The generation increases only when a
 * field outside metadata and status changes.
 */
public final class ResourceRegistry implements ResourceReader {

    private static final int MAX_NAME_ATTEMPTS = 8;

    private final PostgresStore store;
    private final Admission admission;
    private final FieldOwnership ownership;
    private final NamespaceGuard namespaces;
    private final GeneratedNames names;
    private final InstantSource clock;

    public ResourceRegistry(
            PostgresStore store,
            Admission admission,
            Scheme scheme,
            InstantSource clock,
            RandomGenerator random) {
        this.store = store;
        this.admission = admission;
        this.ownership = new FieldOwnership(scheme, clock);
        this.namespaces = new NamespaceGuard(store);
        this.names = new GeneratedNames(random);
        this.clock = clock;
    }

    public Optional<ObjectNode> find(KindDescriptor<?> kind, ResourceKey key) {
        return store.find(kind, key);
    }

    @Override
    public ObjectNode get(KindDescriptor<?> kind, ResourceKey key) {
        return find(kind, key).orElseThrow(() -> ApiException.notFound(kind.kind(), key.name()));
    }

    @Override
    public DocumentList list(KindDescriptor<?> kind, ListOptions options) {
        return store.list(kind, options);
    }

    @Override
    public DocumentList listAt(
            KindDescriptor<?> kind, ListOptions options, ResourceVersion revision) {
        return store.listAt(kind, options, revision);
    }

    @Override
    public Watch<ObjectNode> watch(KindDescriptor<?> kind, WatchOptions options) {
        return store.watch(kind, options);
    }

    @Override
    public ResourceVersion head(KindDescriptor<?> kind) {
        return store.head(kind.shard());
    }

    /** Returns a revision that is not before the newest change of the kind. */
    ResourceVersion newestChange(KindDescriptor<?> kind) {
        return store.newestChange(kind);
    }

    /**
     * Stores a new resource in {@code namespace}, which is empty for a cluster-scoped kind.
     *
     * @throws ApiException (AlreadyExists, Invalid, NotFound for the namespace)
     */
    public Written create(
            KindDescriptor<?> kind, String namespace, Document document, WriteOptions options) {
        Received received = admission.receive(kind, document, options.fieldValidation());
        String prefix = Metadata.text(received.document(), "generateName");
        boolean generated =
                Metadata.text(received.document(), "name").isEmpty() && !prefix.isEmpty();
        for (int attempt = 1; ; attempt++) {
            ObjectNode proposed = received.document().deepCopy();
            if (generated) {
                Metadata.of(proposed).put("name", names.next(prefix));
                kind.normalizer().accept(proposed);
            }
            Creation creation = creation(kind, namespace, proposed, options, new HashSet<>());
            try {
                ObjectNode stored = run(kind, creation.key(), creation, options.dryRun());
                return written(kind, Part.RESOURCE, stored, received.warnings());
            } catch (ApiException e) {
                boolean taken = e.reason() == ErrorReason.ALREADY_EXISTS;
                if (!generated || !taken || attempt == MAX_NAME_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private Written written(
            KindDescriptor<?> kind, Part part, ObjectNode stored, List<String> warnings) {
        List<String> all = new ArrayList<>(warnings);
        if (part == Part.RESOURCE) {
            all.addAll(admission.warnings(kind, stored));
        }
        return new Written(stored, all);
    }

    /** A resource that is admitted and not stored yet. */
    private record Creation(Kind<?> kind, ResourceKey key, ObjectNode document)
            implements Mutation {

        @Override
        public Outcome apply(Optional<ObjectNode> current) {
            if (current.isPresent()) {
                throw ApiException.alreadyExists(kind, key.name());
            }
            return new Outcome.Put(document.deepCopy());
        }
    }

    private Creation creation(
            KindDescriptor<?> kind,
            String namespace,
            ObjectNode document,
            WriteOptions options,
            Set<String> openNamespaces) {
        ResourceKey key = admitNew(kind, namespace, document, openNamespaces, options.user());
        ownership.created(kind, document, options.fieldManager());
        Metadata.complete(kind, document);
        return new Creation(kind.kind(), key, document);
    }

    /**
     * @param openNamespaces namespaces known to be open; others are looked up and added
     */
    private ResourceKey admitNew(
            KindDescriptor<?> kind,
            String namespace,
            ObjectNode document,
            Set<String> openNamespaces,
            Optional<UserInfo> user) {
        if (!Metadata.text(document, "resourceVersion").isEmpty()) {
            throw ApiException.badRequest(
                    "metadata.resourceVersion must not be set on an object to be created");
        }
        ProposedUpdate.requireNamespace(document, namespace);
        ResourceKey key = new ResourceKey(namespace, Metadata.text(document, "name"));
        if (kind.kind().namespaced()) {
            if (!openNamespaces.contains(namespace)) {
                namespaces.requireOpen(kind.kind(), key);
                openNamespaces.add(namespace);
            }
            Metadata.of(document).put("namespace", namespace);
        } else {
            Metadata.of(document).remove("namespace");
        }
        if (kind.hasStatus()) {
            document.remove("status");
        }
        Metadata.require(document, clock.instant());
        admission.admit(kind, document, Optional.empty(), user);
        return key;
    }

    /**
     * Replaces a resource, or its status.
     *
     * @throws ApiException (NotFound, Invalid), (Conflict) when the stored version differs
     */
    public Written update(
            KindDescriptor<?> kind,
            ResourceKey key,
            Part part,
            Document document,
            WriteOptions options) {
        ProposedUpdate update = proposedUpdate(kind, key, part, document, options);
        ObjectNode stored = run(kind, key, update, options.dryRun());
        return written(kind, part, stored, update.warnings());
    }

    private ProposedUpdate proposedUpdate(
            KindDescriptor<?> kind,
            ResourceKey key,
            Part part,
            Document document,
            WriteOptions options) {
        Received received = admission.receive(kind, document, options.fieldValidation());
        boolean versioned = !Metadata.text(received.document(), "resourceVersion").isEmpty();
        // Clients of the core kinds may overwrite a resource without reading it first.
        boolean optional = kind.overwritable();
        return new ProposedUpdate(
                admission,
                ownership,
                kind,
                key,
                part,
                options,
                _ -> {
                    if (!versioned && !optional) {
                        throw ApiException.invalid(
                                kind.kind(), key.name(), List.of(VERSION_IS_REQUIRED));
                    }
                    return new Received(received.document().deepCopy(), received.warnings());
                });
    }

    private static final FieldError VERSION_IS_REQUIRED =
            FieldError.invalid(
                    FieldPath.of("metadata", "resourceVersion"),
                    0,
                    "must be specified for an update");

    /**
     * Patches a resource, or its status. A resourceVersion or uid that the patch sets is a
     * precondition.
     *
     * @throws ApiException (NotFound, Invalid, Conflict)
     */
    public Written patch(
            KindDescriptor<?> kind, ResourceKey key, Part part, Patch patch, WriteOptions options) {
        ProposedUpdate update =
                new ProposedUpdate(
                        admission,
                        ownership,
                        kind,
                        key,
                        part,
                        options,
                        before ->
                                admission.receive(
                                        kind, patch.applyTo(before), options.fieldValidation()));
        ObjectNode stored = run(kind, key, update, options.dryRun());
        return written(kind, part, stored, update.warnings());
    }

    /**
     * Applies the configuration of a manager to a resource, or to its status; creates the resource
     * when it does not exist.
     *
     * @param force whether to take over fields that other managers own
     * @throws ApiException (BadRequest, Invalid), (Conflict) when other managers own changed
     *     fields, (NotFound) for the status of a missing resource
     */
    public ApplyResult apply(
            KindDescriptor<?> kind,
            ResourceKey key,
            Part part,
            Document document,
            boolean force,
            WriteOptions options) {
        Received config =
                new AppliedDocument(admission, ownership.type(kind), kind, key, part)
                        .of(document, options.fieldValidation());
        ProposedApply apply =
                new ProposedApply(
                        admission,
                        ownership,
                        kind,
                        key,
                        part,
                        config.document(),
                        new ProposedApply.Claim(options, force),
                        born -> {
                            admitNew(kind, key.namespace(), born, new HashSet<>(), options.user());
                            Metadata.complete(kind, born);
                        });
        ObjectNode stored = run(kind, key, apply, options.dryRun());
        return new ApplyResult(written(kind, part, stored, config.warnings()), apply.effect());
    }

    /**
     * Deletes a resource, or marks it for deletion while finalizers remain.
     *
     * @throws ApiException (NotFound), (Conflict) when a precondition fails
     */
    public Deletion delete(KindDescriptor<?> kind, ResourceKey key, DeleteOptions options) {
        if (kind.heldByContent()) {
            NamespaceGuard.requireRemovable(key.name());
        }
        Mutation deletion = new ProposedDeletion(kind, key, options, clock.instant());
        ObjectNode last = run(kind, key, deletion, options.dryRun());
        return Finalizers.hold(kind, last)
                ? new Deletion.Terminating(last)
                : new Deletion.Gone(last);
    }

    /**
     * Deletes all resources of a list, one by one; ignores those that are already gone.
     *
     * @return the deleted resources, as they were
     */
    public DocumentList deleteAll(
            KindDescriptor<?> kind, ListOptions selection, DeleteOptions options) {
        DocumentList found = list(kind, selection);
        List<ObjectNode> deleted = new ArrayList<>();
        for (ObjectNode document : found.items()) {
            try {
                delete(kind, Metadata.key(kind.kind(), document), options);
                deleted.add(document);
            } catch (ApiException e) {
                if (e.reason() != ErrorReason.NOT_FOUND) {
                    throw e;
                }
            }
        }
        return new DocumentList(found.version(), deleted, found.continueToken(), found.remaining());
    }

    /**
     * @param openNamespaces namespaces known to exist and not to be deleted; grows
     */
    Mutation createMutation(KindDescriptor<?> kind, Document document, Set<String> openNamespaces) {
        Received received = admission.receive(kind, document, WriteOptions.PLAIN.fieldValidation());
        return creation(
                kind,
                Metadata.key(kind.kind(), document.root()).namespace(),
                received.document(),
                WriteOptions.PLAIN,
                openNamespaces);
    }

    Mutation updateMutation(KindDescriptor<?> kind, ResourceKey key, Document document) {
        return proposedUpdate(kind, key, Part.RESOURCE, document, WriteOptions.PLAIN);
    }

    Mutation deleteMutation(KindDescriptor<?> kind, ResourceKey key, DeleteOptions options) {
        return new ProposedDeletion(kind, key, options, clock.instant());
    }

    /** Runs mutations in one transaction: all or none. */
    void writeAll(KindDescriptor<?> kind, SortedMap<ResourceKey, Mutation> mutations) {
        store.writeAll(kind, mutations);
    }

    private ObjectNode run(
            KindDescriptor<?> kind, ResourceKey key, Mutation mutation, boolean dryRun) {
        if (!dryRun) {
            return store.write(kind, key, mutation);
        }
        return switch (mutation.apply(store.find(kind, key))) {
            case Mutation.Outcome.Put(ObjectNode document) -> document;
            case Mutation.Outcome.Remove(ObjectNode lastState) -> lastState;
            case Mutation.Outcome.Keep(ObjectNode document) -> document;
        };
    }
}
