package dev.orloj.server.registry;

import dev.orloj.api.ApiException;
import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.KindDescriptor;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Accesses the metadata fields of a document that the server owns. */
final class Metadata {

    private static final String DELETION = "deletionTimestamp";
    private static final String GRACE = "deletionGracePeriodSeconds";
    private static final List<String> OF_INCARNATION =
            List.of(
                    "name",
                    "generateName",
                    "namespace",
                    "uid",
                    "resourceVersion",
                    "generation",
                    "creationTimestamp",
                    DELETION,
                    GRACE);

    private Metadata() {}

    static ObjectNode of(ObjectNode document) {
        return document.withObject("/metadata");
    }

    static String text(ObjectNode document, String field) {
        return document.path("metadata").path(field).asString("");
    }

    static ResourceKey key(Kind<?> kind, ObjectNode document) {
        return new ResourceKey(
                kind.namespaced() ? text(document, "namespace") : "", text(document, "name"));
    }

    static boolean isDeleting(ObjectNode document) {
        return document.path("metadata").has(DELETION);
    }

    /** Gives the document the metadata of a new resource. */
    static void require(ObjectNode document, Instant now) {
        ObjectNode metadata = of(document);
        metadata.remove(List.of("resourceVersion", "selfLink", DELETION, GRACE));
        metadata.put("uid", UUID.randomUUID().toString());
        metadata.put("generation", 1);
        metadata.put("creationTimestamp", now.truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /**
     * Gives a new document what its controller would have to write first: its finalizers and the
     * phase. Called after the fields got their owners, so that these belong to no client, and an
     * apply without them does not remove them.
     */
    static void complete(KindDescriptor<?> kind, ObjectNode document) {
        Finalizers.add(document, kind.finalizers());
        if (!kind.firstPhase().isEmpty()) {
            document.putObject("status").put("phase", kind.firstPhase());
        }
    }

    /** Copies the metadata that never changes during the life of a resource. */
    static void inherit(ObjectNode document, ObjectNode before) {
        ObjectNode metadata = of(document);
        metadata.remove("selfLink");
        for (String field : OF_INCARNATION) {
            copy(field, before.path("metadata"), metadata);
        }
    }

    /**
     * Returns the document without its managed fields: itself when it has none, else a shallow
     * copy.
     */
    static ObjectNode withoutOwners(ObjectNode document) {
        if (!(document.path("metadata") instanceof ObjectNode metadata)
                || !metadata.has("managedFields")) {
            return document;
        }
        ObjectNode without = metadata.objectNode().setAll(metadata);
        without.remove("managedFields");
        return document.objectNode().setAll(document).set("metadata", without);
    }

    /** Sets a field to its value in another document, or removes it. */
    static void copy(String field, JsonNode from, ObjectNode to) {
        if (from.has(field)) {
            to.set(field, from.path(field).deepCopy());
        } else {
            to.remove(field);
        }
    }

    static void bumpGeneration(ObjectNode document) {
        ObjectNode metadata = of(document);
        metadata.put("generation", metadata.path("generation").asLong(0) + 1);
    }

    static void markDeleted(ObjectNode document, Instant now) {
        of(document).put(DELETION, now.truncatedTo(ChronoUnit.SECONDS).toString()).put(GRACE, 0);
        bumpGeneration(document);
    }

    /**
     * @throws ApiException (Conflict) when a given resourceVersion or uid is not the stored one
     */
    static void requireSame(Kind<?> kind, ObjectNode stored, String uid, String version) {
        String name = text(stored, "name");
        String storedUid = text(stored, "uid");
        if (!uid.isEmpty() && !uid.equals(storedUid)) {
            throw ApiException.conflict(
                    kind,
                    name,
                    "Precondition failed: UID in precondition: %s, UID in object meta: %s"
                            .formatted(uid, storedUid));
        }
        if (!version.isEmpty() && !version.equals(text(stored, "resourceVersion"))) {
            throw ApiException.conflict(kind, name);
        }
    }

    /**
     * @throws ApiException (Invalid) when new finalizers are added to a resource that is being
     *     deleted
     */
    static void requireNoNewFinalizers(Kind<?> kind, ObjectNode before, ObjectNode after) {
        if (!isDeleting(before)) {
            return;
        }
        Set<String> added = new LinkedHashSet<>();
        after.at("/metadata/finalizers").forEach(finalizer -> added.add(finalizer.toString()));
        before.at("/metadata/finalizers").forEach(finalizer -> added.remove(finalizer.toString()));
        if (!added.isEmpty()) {
            throw ApiException.invalid(
                    kind,
                    text(before, "name"),
                    List.of(
                            FieldError.forbidden(
                                    FieldPath.of("metadata", "finalizers"),
                                    "no new finalizers can be added if the object is being deleted,"
                                            + " found new finalizers "
                                            + added)));
        }
    }
}
