package dev.orloj.server.registry;

import dev.orloj.api.ApiException;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.ResourceList;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.client.Write;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.codec.Scheme;
import dev.orloj.server.store.Mutation;
import dev.orloj.server.store.table.DocumentList;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Provides the resource API to components in this process: typed, and with sensitive values in
 * plain text. Omits field ownership, because caches keep what they read for a long time; a write
 * preserves it.
 *
 * <p>Omits a stored document that does not fit its kind from lists and logs an error. An edit of
 * the database or a newer version may leave such a document; one of them must not keep everything
 * else from being watched. A watch that reaches one expires, so that its client lists again.
 */
public final class LocalResourceClient implements ResourceClient {

    private static final Logger log = LoggerFactory.getLogger(LocalResourceClient.class);

    private final ResourceRegistry registry;
    private final Scheme scheme;

    public LocalResourceClient(ResourceRegistry registry, Scheme scheme) {
        this.registry = registry;
        this.scheme = scheme;
    }

    @Override
    public <R extends Resource> Optional<R> find(Kind<R> kind, ResourceKey key) {
        return registry.find(scheme.descriptor(kind), key).map(found -> typed(kind, found));
    }

    @Override
    public <R extends Resource> ResourceVersion newestChange(Kind<R> kind) {
        return registry.newestChange(scheme.descriptor(kind));
    }

    @Override
    public <R extends Resource> ResourceList<R> list(Kind<R> kind, ListOptions options) {
        DocumentList found = registry.list(scheme.descriptor(kind), options);
        List<R> items =
                found.items().stream()
                        .flatMap(document -> readable(kind, document).stream())
                        .toList();
        return new ResourceList<>(found.version(), items, found.continueToken(), found.remaining());
    }

    @Override
    public <R extends Resource> Watch<R> watch(Kind<R> kind, WatchOptions options) {
        return new TypedWatch<>(kind, registry.watch(scheme.descriptor(kind), options));
    }

    @Override
    public <R extends Resource> R create(Kind<R> kind, R resource) {
        return typed(
                kind,
                registry.create(
                                scheme.descriptor(kind),
                                resource.key().namespace(),
                                document(resource),
                                WriteOptions.PLAIN)
                        .document());
    }

    @Override
    public <R extends Resource> R update(Kind<R> kind, R resource) {
        return update(kind, Part.RESOURCE, resource);
    }

    @Override
    public <R extends Resource> R updateStatus(Kind<R> kind, R resource) {
        return update(kind, Part.STATUS, resource);
    }

    @Override
    public <R extends Resource> R updateFinalizers(Kind<R> kind, R resource) {
        return update(kind, Part.FINALIZERS, resource);
    }

    private <R extends Resource> R update(Kind<R> kind, Part part, R resource) {
        return typed(
                kind,
                registry.update(
                                scheme.descriptor(kind),
                                resource.key(),
                                part,
                                document(resource),
                                WriteOptions.PLAIN)
                        .document());
    }

    @Override
    public <R extends Resource> R patch(Kind<R> kind, ResourceKey key, ObjectNode mergePatch) {
        Patch patch = new Patch.Merge(new Document(mergePatch, List.of(), Map.of()));
        return typed(
                kind,
                registry.patch(
                                scheme.descriptor(kind),
                                key,
                                Part.RESOURCE,
                                patch,
                                WriteOptions.PLAIN)
                        .document());
    }

    @Override
    public <R extends Resource> void delete(Kind<R> kind, ResourceKey key, DeleteOptions options) {
        registry.delete(scheme.descriptor(kind), key, options);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException when two writes concern the same resource
     */
    @Override
    public <R extends Resource> void writeAll(Kind<R> kind, List<Write<R>> writes) {
        KindDescriptor<R> descriptor = scheme.descriptor(kind);
        SortedMap<ResourceKey, Mutation> mutations = new TreeMap<>();
        Set<String> openNamespaces = new HashSet<>();
        for (Write<R> write : writes) {
            switch (write) {
                case Write.Create<R>(R resource) ->
                        add(
                                mutations,
                                resource.key(),
                                registry.createMutation(
                                        descriptor, document(resource), openNamespaces));
                case Write.Update<R>(R resource) ->
                        add(
                                mutations,
                                resource.key(),
                                registry.updateMutation(
                                        descriptor, resource.key(), document(resource)));
                case Write.Delete<R>(ResourceKey key, DeleteOptions options) ->
                        add(mutations, key, registry.deleteMutation(descriptor, key, options));
            }
        }
        if (!mutations.isEmpty()) {
            registry.writeAll(descriptor, mutations);
        }
    }

    private static void add(
            SortedMap<ResourceKey, Mutation> mutations, ResourceKey key, Mutation mutation) {
        if (mutations.putIfAbsent(key, mutation) != null) {
            throw new IllegalArgumentException("Two writes in one batch for \"" + key + "\"");
        }
    }

    private static Document document(Resource resource) {
        return new Document(ResourceCodec.toDocument(resource), List.of(), Map.of());
    }

    private static <R extends Resource> Optional<R> readable(Kind<R> kind, ObjectNode document) {
        try {
            return Optional.of(typed(kind, document));
        } catch (ApiException e) {
            log.atError()
                    .addKeyValue("kind", kind)
                    .addKeyValue("namespace", document.at("/metadata/namespace").asString(""))
                    .addKeyValue("name", document.at("/metadata/name").asString(""))
                    .addKeyValue("error", e.getMessage())
                    .log("Stored resource cannot be read and is passed over: replace or delete it");
            return Optional.empty();
        }
    }

    private static <R extends Resource> R typed(Kind<R> kind, ObjectNode document) {
        return ResourceCodec.fromDocument(kind, Metadata.withoutOwners(document));
    }

    /** A watch whose events contain typed resources. */
    private record TypedWatch<R extends Resource>(Kind<R> kind, Watch<ObjectNode> documents)
            implements Watch<R> {

        @Override
        public Optional<WatchEvent<R>> next(Duration timeout) throws InterruptedException {
            return documents.next(timeout).map(this::typed);
        }

        private WatchEvent<R> typed(WatchEvent<ObjectNode> event) {
            return switch (event) {
                case WatchEvent.Added<ObjectNode>(ObjectNode document) ->
                        new WatchEvent.Added<>(followed(document));
                case WatchEvent.Modified<ObjectNode>(ObjectNode document) ->
                        new WatchEvent.Modified<>(followed(document));
                case WatchEvent.Deleted<ObjectNode>(ObjectNode document) ->
                        new WatchEvent.Deleted<>(followed(document));
                case WatchEvent.Bookmark<ObjectNode>(var version, boolean initialEventsEnd) ->
                        new WatchEvent.Bookmark<>(version, initialEventsEnd);
            };
        }

        private R followed(ObjectNode document) {
            return readable(kind, document)
                    .orElseThrow(
                            () -> ApiException.expired("A resource that cannot be read changed"));
        }

        @Override
        public void close() {
            documents.close();
        }
    }
}
