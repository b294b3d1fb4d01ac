package dev.orloj.api.testing;

import dev.orloj.api.ApiException;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.Propagation;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The documents of all kinds and the log of their changes. A stored document is never changed, only
 * replaced. Not safe for threads.
 */
final class MemoryDocuments {

    /** One change; {@code before} is absent for a creation, {@code after} for a deletion. */
    record Change(
            long version,
            Kind<?> kind,
            @Nullable ObjectNode before,
            @Nullable ObjectNode after,
            ObjectNode last) {}

    private final Map<Kind<?>, TreeMap<ResourceKey, ObjectNode>> documents = new HashMap<>();
    private final List<Change> log = new ArrayList<>();
    private long head;
    private long compacted;

    MemoryDocuments() {}

    MemoryDocuments(MemoryDocuments other) {
        other.documents.forEach((kind, map) -> documents.put(kind, new TreeMap<>(map)));
        log.addAll(other.log);
        head = other.head;
        compacted = other.compacted;
    }

    long head() {
        return head;
    }

    void compact() {
        log.clear();
        compacted = head;
    }

    /** The changes after a revision. */
    List<Change> changesAfter(long version) {
        if (version < compacted) {
            throw ApiException.expired(
                    "too old resource version: %d (%d)".formatted(version, compacted));
        }
        if (version > head) {
            throw ApiException.expired(
                    "too new resource version: %d (%d)".formatted(version, head));
        }
        return log.subList((int) (version - compacted), log.size());
    }

    Optional<ObjectNode> find(Kind<?> kind, ResourceKey key) {
        return Optional.ofNullable(of(kind).get(key));
    }

    List<ObjectNode> select(Kind<?> kind, Predicate<ObjectNode> selection) {
        return of(kind).values().stream().filter(selection).toList();
    }

    ObjectNode create(Kind<?> kind, ObjectNode document, Instant now) {
        ResourceKey key = keyOf(document);
        if (of(kind).containsKey(key)) {
            throw ApiException.alreadyExists(kind, key.name());
        }
        document.remove("status");
        metadata(document)
                .put("uid", UUID.randomUUID().toString())
                .put("generation", 1)
                .put("creationTimestamp", now.truncatedTo(ChronoUnit.SECONDS).toString());
        metadata(document).remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds"));
        return put(kind, key, document);
    }

    ObjectNode update(Kind<?> kind, ObjectNode document) {
        ResourceKey key = keyOf(document);
        ObjectNode current = checkedCurrent(kind, key, document);
        document.remove("status");
        if (current.has("status")) {
            document.set("status", current.get("status"));
        }
        return replace(kind, key, current, document);
    }

    ObjectNode updateStatus(Kind<?> kind, ObjectNode document) {
        ResourceKey key = keyOf(document);
        ObjectNode current = checkedCurrent(kind, key, document);
        ObjectNode next = current.deepCopy();
        next.remove("status");
        if (document.has("status")) {
            next.set("status", document.get("status"));
        }
        return replace(kind, key, current, next);
    }

    ObjectNode updateFinalizers(Kind<?> kind, ObjectNode document) {
        ResourceKey key = keyOf(document);
        ObjectNode current = checkedCurrent(kind, key, document);
        ObjectNode next = current.deepCopy();
        next.withObject("/spec").remove("finalizers");
        if (!document.at("/spec/finalizers").isEmpty()) {
            next.withObject("/spec").set("finalizers", document.at("/spec/finalizers"));
        }
        return replace(kind, key, current, next);
    }

    ObjectNode patch(Kind<?> kind, ResourceKey key, ObjectNode mergePatch) {
        ObjectNode current =
                find(kind, key).orElseThrow(() -> ApiException.notFound(kind, key.name()));
        ObjectNode next = current.deepCopy();
        merge(next, mergePatch);
        return update(kind, next);
    }

    void delete(Kind<?> kind, ResourceKey key, DeleteOptions options, Instant now) {
        ObjectNode current =
                find(kind, key).orElseThrow(() -> ApiException.notFound(kind, key.name()));
        checkPreconditions(kind, key, current, options.uid(), options.resourceVersion().toString());
        if (options.dryRun()) {
            return;
        }
        ObjectNode next = current.deepCopy();
        note(next, options.propagation());
        if (!isHeld(next)) {
            remove(kind, key, current);
        } else if (metadata(current).has("deletionTimestamp")) {
            if (!next.equals(current)) {
                put(kind, key, next);
            }
        } else {
            metadata(next)
                    .put("deletionTimestamp", now.truncatedTo(ChronoUnit.SECONDS).toString())
                    .put("deletionGracePeriodSeconds", 0)
                    .put("generation", metadata(next).path("generation").asLong(0) + 1);
            put(kind, key, next);
        }
    }

    private static void note(ObjectNode document, @Nullable Propagation propagation) {
        if (propagation == null) {
            return;
        }
        List<String> finalizers =
                metadata(document)
                        .path("finalizers")
                        .valueStream()
                        .map(JsonNode::asString)
                        .toList();
        metadata(document).remove("finalizers");
        List<String> noted = propagation.notedIn(finalizers);
        if (!noted.isEmpty()) {
            noted.forEach(metadata(document).putArray("finalizers")::add);
        }
    }

    private static boolean isHeld(ObjectNode document) {
        return !metadata(document).path("finalizers").isEmpty()
                || !document.at("/spec/finalizers").isEmpty();
    }

    private ObjectNode checkedCurrent(Kind<?> kind, ResourceKey key, ObjectNode document) {
        ObjectNode current =
                find(kind, key).orElseThrow(() -> ApiException.notFound(kind, key.name()));
        checkPreconditions(
                kind,
                key,
                current,
                metadata(document).path("uid").asString(""),
                metadata(document).path("resourceVersion").asString(""));
        return current;
    }

    private static void checkPreconditions(
            Kind<?> kind, ResourceKey key, ObjectNode current, String uid, String version) {
        boolean sameUid = uid.isEmpty() || uid.equals(metadata(current).path("uid").asString());
        boolean sameVersion =
                version.isEmpty()
                        || version.equals(metadata(current).path("resourceVersion").asString());
        if (!sameUid || !sameVersion) {
            throw ApiException.conflict(kind, key.name());
        }
    }

    /** Puts what a client may not change back in place, counts the generation, and stores it. */
    private ObjectNode replace(Kind<?> kind, ResourceKey key, ObjectNode current, ObjectNode next) {
        for (String field :
                List.of(
                        "uid",
                        "generation",
                        "creationTimestamp",
                        "deletionTimestamp",
                        "deletionGracePeriodSeconds",
                        "resourceVersion")) {
            metadata(next).remove(field);
            if (metadata(current).has(field)) {
                metadata(next).set(field, metadata(current).get(field));
            }
        }
        if (!desired(current).equals(desired(next))) {
            metadata(next).put("generation", metadata(current).path("generation").asLong(0) + 1);
        }
        if (metadata(next).has("deletionTimestamp") && !isHeld(next)) {
            return remove(kind, key, next);
        }
        return next.equals(current) ? current : put(kind, key, next);
    }

    private ObjectNode put(Kind<?> kind, ResourceKey key, ObjectNode document) {
        head++;
        metadata(document).put("resourceVersion", Long.toString(head));
        ObjectNode before = of(kind).put(key, document);
        log.add(new Change(head, kind, before, document, document));
        return document;
    }

    private ObjectNode remove(Kind<?> kind, ResourceKey key, ObjectNode state) {
        head++;
        ObjectNode last = state.deepCopy();
        metadata(last).put("resourceVersion", Long.toString(head));
        ObjectNode before = of(kind).remove(key);
        log.add(new Change(head, kind, before, null, last));
        return last;
    }

    private TreeMap<ResourceKey, ObjectNode> of(Kind<?> kind) {
        return documents.computeIfAbsent(kind, k -> new TreeMap<>());
    }

    static ObjectNode metadata(ObjectNode document) {
        return (ObjectNode) document.required("metadata");
    }

    private static ResourceKey keyOf(ObjectNode document) {
        return new ResourceKey(
                metadata(document).path("namespace").asString(""),
                metadata(document).path("name").asString(""));
    }

    private static ObjectNode desired(ObjectNode document) {
        ObjectNode rest = document.deepCopy();
        rest.remove(List.of("metadata", "status"));
        return rest;
    }

    private static void merge(ObjectNode target, ObjectNode mergePatch) {
        for (Map.Entry<String, JsonNode> change : mergePatch.properties()) {
            JsonNode value = change.getValue();
            if (value.isNull()) {
                target.remove(change.getKey());
            } else if (value instanceof ObjectNode more) {
                JsonNode inner = target.get(change.getKey());
                ObjectNode merged =
                        inner instanceof ObjectNode object ? object : target.objectNode();
                merge(merged, more);
                target.set(change.getKey(), merged);
            } else {
                target.set(change.getKey(), value);
            }
        }
    }
}
