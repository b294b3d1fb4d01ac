package dev.orloj.cli.testing;

import dev.orloj.api.ApiException;
import dev.orloj.api.FieldSelector;
import dev.orloj.api.Kind;
import dev.orloj.api.LabelSelector;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.Status;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.client.ResourceList;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchClosedException;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.codec.DocumentCheck;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.Kinds;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The verbs of the resource API over a store in memory. */
public final class FakeResources {

    private final MemoryResourceClient store;
    private final FakeTables tables;
    private volatile boolean closed;
    private volatile Runnable afterDelete = () -> {};
    private volatile Runnable beforeWatch = () -> {};
    private volatile UnaryOperator<ObjectNode> shown = UnaryOperator.identity();

    FakeResources(ManualClock clock) {
        store = new MemoryResourceClient(clock);
        tables = new FakeTables(clock);
        store.create(Namespace.KIND, Namespace.of("default"));
    }

    /** The store behind, for a test to look at and to change. */
    public MemoryResourceClient store() {
        return store;
    }

    /** Runs after every delete, before it is answered, as a controller may. */
    public void afterDelete(Runnable action) {
        afterDelete = action;
    }

    /** Runs before every watch is opened. */
    public void beforeWatch(Runnable action) {
        beforeWatch = action;
    }

    /** Stores a document, with its status. */
    public ObjectNode put(String json) {
        ObjectNode document = (ObjectNode) Json.MAPPER.readTree(json);
        KindDescriptor<?> descriptor =
                Kinds.SCHEME
                        .findKind(
                                document.path("apiVersion").asString(),
                                document.path("kind").asString())
                        .orElseThrow();
        return put(descriptor.kind(), document);
    }

    private <R extends Resource> ObjectNode put(Kind<R> kind, ObjectNode document) {
        R created = store.create(kind, ResourceCodec.fromDocument(kind, document));
        if (!document.has("status")) {
            return ResourceCodec.toDocument(created);
        }
        ObjectNode withStatus = ResourceCodec.toDocument(created);
        withStatus.set("status", document.get("status"));
        return ResourceCodec.toDocument(
                store.updateStatus(kind, ResourceCodec.fromDocument(kind, withStatus)));
    }

    /** Documents have fields that this API does not know, as those of a newer orlojd. */
    void show(UnaryOperator<ObjectNode> change) {
        shown = change;
    }

    ObjectNode list(FakePath path, Map<String, String> query, boolean asTable) {
        ResourceList<? extends Resource> page = page(path, query);
        ObjectNode list = asTable ? tables.of(path.descriptor()) : list(path.descriptor().kind());
        ObjectNode metadata = list.putObject("metadata");
        metadata.put("resourceVersion", page.version().toString());
        if (page.hasMore()) {
            metadata.put("continue", page.continueToken());
            metadata.put("remainingItemCount", page.remaining());
        }
        ArrayNode items = list.putArray(asTable ? "rows" : "items");
        for (Resource resource : page.items()) {
            ObjectNode document = shown.apply(ResourceCodec.toDocument(resource));
            if (matches(path, query, document)) {
                items.add(asTable ? tables.row(path.descriptor(), document) : document);
            }
        }
        return list;
    }

    private ResourceList<? extends Resource> page(FakePath path, Map<String, String> query) {
        return store.list(
                path.descriptor().kind(),
                ListOptions.inNamespace(path.namespace())
                        .withLabels(labels(query))
                        .page(
                                Integer.parseInt(query.getOrDefault("limit", "0")),
                                query.getOrDefault("continue", "")));
    }

    private static ObjectNode list(Kind<?> kind) {
        return Json.MAPPER
                .createObjectNode()
                .put("kind", kind.name() + "List")
                .put("apiVersion", kind.apiVersion());
    }

    private static LabelSelector labels(Map<String, String> query) {
        return LabelSelector.parse(query.getOrDefault("labelSelector", ""));
    }

    private static boolean matches(FakePath path, Map<String, String> query, ObjectNode document) {
        Map<String, String> fields = new HashMap<>();
        fields.put("metadata.name", document.at("/metadata/name").asString(""));
        path.descriptor()
                .selectableFields()
                .forEach((field, pointer) -> fields.put(field, document.at(pointer).asString("")));
        return FieldSelector.parse(query.getOrDefault("fieldSelector", "")).matches(fields);
    }

    ObjectNode get(FakePath path, boolean asTable) {
        ObjectNode document =
                shown.apply(
                        ResourceCodec.toDocument(store.get(path.descriptor().kind(), path.key())));
        if (!asTable) {
            return document;
        }
        ObjectNode table = tables.of(path.descriptor());
        table.putArray("rows").add(tables.row(path.descriptor(), document));
        return table;
    }

    ObjectNode create(FakePath path, Map<String, String> query, ObjectNode document) {
        return create(path.descriptor().kind(), path, query, document);
    }

    private <R extends Resource> ObjectNode create(
            Kind<R> kind, FakePath path, Map<String, String> query, ObjectNode document) {
        if (!path.namespace().isEmpty()) {
            store.get(Namespace.KIND, new ResourceKey("", path.namespace()));
        }
        admit(path, query, document);
        R resource = ResourceCodec.fromDocument(kind, document);
        if (query.containsKey("dryRun")) {
            return ResourceCodec.toDocument(resource);
        }
        return ResourceCodec.toDocument(store.create(kind, resource));
    }

    ObjectNode replace(FakePath path, Map<String, String> query, ObjectNode document) {
        return replace(path.descriptor().kind(), path, query, document);
    }

    private <R extends Resource> ObjectNode replace(
            Kind<R> kind, FakePath path, Map<String, String> query, ObjectNode document) {
        admit(path, query, document);
        R resource = ResourceCodec.fromDocument(kind, document);
        if (query.containsKey("dryRun")) {
            return ResourceCodec.toDocument(resource);
        }
        return ResourceCodec.toDocument(
                switch (path.subresource()) {
                    case "status" -> store.updateStatus(kind, resource);
                    case "finalize" -> store.updateFinalizers(kind, resource);
                    default -> store.update(kind, resource);
                });
    }

    ObjectNode merge(FakePath path, Map<String, String> query, ObjectNode patch) {
        ObjectNode before = get(path, false);
        ObjectNode after = before.deepCopy();
        merge(after, patch);
        return after.equals(before) ? before : replace(path, query, after);
    }

    private static void merge(ObjectNode target, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            if (field.getValue().isNull()) {
                target.remove(field.getKey());
            } else if (field.getValue() instanceof ObjectNode inner) {
                merge(
                        target.get(field.getKey()) instanceof ObjectNode known
                                ? known
                                : target.putObject(field.getKey()),
                        inner);
            } else {
                target.set(field.getKey(), field.getValue());
            }
        }
    }

    private static void admit(FakePath path, Map<String, String> query, ObjectNode document) {
        KindDescriptor<?> descriptor = path.descriptor();
        DocumentCheck check = DocumentCheck.of(descriptor, document);
        if (query.getOrDefault("fieldValidation", "").equals("Strict")
                && !check.unknownFields().isEmpty()) {
            throw ApiException.badRequest(
                    "strict decoding error: unknown field \""
                            + String.join("\", unknown field \"", check.unknownFields())
                            + "\"");
        }
        if (!check.errors().isEmpty()) {
            throw ApiException.invalid(
                    descriptor.kind(), document.at("/metadata/name").asString(""), check.errors());
        }
        descriptor.normalizer().accept(document);
        descriptor.schema().prune(document);
        descriptor.schema().applyDefaults(document);
    }

    ObjectNode delete(FakePath path, ObjectNode options) {
        Kind<?> kind = path.descriptor().kind();
        String uid =
                store.find(kind, path.key())
                        .map(resource -> ResourceCodec.toDocument(resource))
                        .map(document -> document.at("/metadata/uid").asString(""))
                        .orElse("");
        store.delete(
                kind,
                path.key(),
                new DeleteOptions(
                        options.at("/preconditions/uid").asString(""),
                        ResourceVersion.parse(
                                options.at("/preconditions/resourceVersion").asString("")),
                        options.has("dryRun"),
                        Propagation.of(options.path("propagationPolicy").asString(""))
                                .orElse(null)));
        Optional<? extends Resource> held = store.find(kind, path.key());
        afterDelete.run();
        return held.isPresent()
                ? ResourceCodec.toDocument(held.get())
                : Json.MAPPER.valueToTree(Status.deleted(kind, path.name(), uid));
    }

    /** Refuses a watch from too long ago before anything is answered. */
    void checkWatch(FakePath path, Map<String, String> query) {
        beforeWatch.run();
        open(path.descriptor().kind(), path, query).close();
    }

    private <R extends Resource> Watch<R> open(
            Kind<R> kind, FakePath path, Map<String, String> query) {
        return store.watch(
                kind,
                new WatchOptions(
                        path.namespace(),
                        labels(query),
                        FieldSelector.EVERYTHING,
                        ResourceVersion.parse(query.getOrDefault("resourceVersion", ""))));
    }

    void watch(FakePath path, Map<String, String> query, boolean asTable, OutputStream out)
            throws IOException {
        watch(path.descriptor().kind(), path, query, asTable, out);
    }

    private <R extends Resource> void watch(
            Kind<R> kind,
            FakePath path,
            Map<String, String> query,
            boolean asTable,
            OutputStream out)
            throws IOException {
        boolean isFirst = true;
        try (Watch<R> watch = open(kind, path, query)) {
            while (!closed) {
                Optional<WatchEvent<R>> event = watch.next(Duration.ofMillis(200));
                if (event.isEmpty()) {
                    out.write('\n'); // fails when the client has gone
                    out.flush();
                    continue;
                }
                ObjectNode document = ResourceCodec.toDocument(resource(event.get()));
                if (matches(path, query, document)) {
                    write(path, type(event.get()), document, asTable, isFirst, out);
                    isFirst = false;
                }
            }
        } catch (WatchClosedException | InterruptedException e) {
            // cut off, as the test wants
        } catch (ApiException e) {
            ObjectNode line = Json.MAPPER.createObjectNode().put("type", "ERROR");
            line.set("object", Json.MAPPER.valueToTree(e.toStatus()));
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private void write(
            FakePath path,
            String type,
            ObjectNode document,
            boolean asTable,
            boolean isFirst,
            OutputStream out)
            throws IOException {
        ObjectNode line = Json.MAPPER.createObjectNode().put("type", type);
        if (asTable) {
            ObjectNode table = tables.of(path.descriptor());
            if (!isFirst) {
                table.putNull("columnDefinitions");
            }
            table.putArray("rows").add(tables.row(path.descriptor(), document));
            line.set("object", table);
        } else {
            line.set("object", document);
        }
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static String type(WatchEvent<?> event) {
        return switch (event) {
            case WatchEvent.Added<?> _ -> "ADDED";
            case WatchEvent.Modified<?> _ -> "MODIFIED";
            case WatchEvent.Deleted<?> _ -> "DELETED";
            case WatchEvent.Bookmark<?> _ -> "BOOKMARK";
        };
    }

    private static <R extends Resource> R resource(WatchEvent<R> event) {
        return switch (event) {
            case WatchEvent.Added<R>(R resource) -> resource;
            case WatchEvent.Modified<R>(R resource) -> resource;
            case WatchEvent.Deleted<R>(R resource) -> resource;
            case WatchEvent.Bookmark<R> _ ->
                    throw new IllegalStateException("the store in memory sends no bookmarks");
        };
    }

    void close() {
        closed = true;
        store.cutWatches();
    }
}
