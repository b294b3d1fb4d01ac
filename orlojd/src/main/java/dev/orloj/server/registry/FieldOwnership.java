package dev.orloj.server.registry;

import dev.orloj.api.Kind;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;
import dev.orloj.server.apply.Applier;
import dev.orloj.server.apply.FieldType;
import dev.orloj.server.apply.ManagedFields;
import dev.orloj.server.apply.ManagedFieldsCodec;
import dev.orloj.server.apply.Manager;
import dev.orloj.server.apply.Shapes;
import dev.orloj.server.apply.UpdateTracker;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Maintains {@code metadata.managedFields} on writes. Safe for many threads.
 *
 * <p>Writing an unchanged value is not a change, so the time of an entry alone never causes a
 * write.
 */
final class FieldOwnership {

    private static final String FIELD = "managedFields";

    private final Scheme scheme;
    private final InstantSource clock;
    private final Map<Kind<?>, Shapes> shapes = new ConcurrentHashMap<>();
    private final Map<Kind<?>, FieldType> types = new ConcurrentHashMap<>();

    FieldOwnership(Scheme scheme, InstantSource clock) {
        this.scheme = scheme;
        this.clock = clock;
    }

    FieldType type(KindDescriptor<?> kind) {
        return types.computeIfAbsent(kind.kind(), _ -> FieldType.of(kind.schema().root()));
    }

    private Shapes shapes(KindDescriptor<?> kind) {
        return shapes.computeIfAbsent(kind.kind(), _ -> Shapes.of(kind, scheme));
    }

    private UpdateTracker tracker(KindDescriptor<?> kind) {
        return new UpdateTracker(type(kind), shapes(kind));
    }

    /** Makes the creator the owner of a new document. */
    void created(KindDescriptor<?> kind, ObjectNode document, String fieldManager) {
        Manager creator = Manager.updating(fieldManager, kind.kind().apiVersion(), "");
        set(document, tracker(kind).created(document, creator, now()));
    }

    /**
     * Makes the updater the owner of the fields that it changes. A client may set the managed
     * fields itself by a write to the resource; invalid entries are ignored.
     *
     * @param after with the managed fields that the client sent, if any
     */
    void updated(
            KindDescriptor<?> kind,
            Part part,
            ObjectNode before,
            ObjectNode after,
            WriteOptions options) {
        ManagedFields known = get(before);
        ManagedFields claimed = part == Part.RESOURCE ? claimed(after, known) : known;
        Manager updater =
                Manager.updating(
                        options.fieldManager(),
                        kind.kind().apiVersion(),
                        subresource(part, options));
        ManagedFields managed = tracker(kind).updated(before, after, claimed, updater, now());
        settle(before, after, known, managed);
    }

    /**
     * Applies a configuration to a resource.
     *
     * @param live an empty document when there is none
     * @throws dev.orloj.server.apply.ConflictException when other managers own changed fields and
     *     the claim does not force
     */
    Applier.Outcome applied(
            KindDescriptor<?> kind,
            Part part,
            ObjectNode live,
            ObjectNode config,
            ProposedApply.Claim claim) {
        WriteOptions options = claim.options();
        String subresource = subresource(part, options);
        String apiVersion = kind.kind().apiVersion();
        ManagedFields known = get(live);
        if (known.isEmpty() && !live.isEmpty()) {
            known = tracker(kind).unaccounted(reduced(live, part), apiVersion, subresource, now());
        }
        Manager manager = Manager.applying(options.fieldManager(), apiVersion, subresource);
        return new Applier(type(kind), shapes(kind))
                .apply(new Applier.Request(live, config, known, manager, now(), claim.force()));
    }

    /** Returns the fields of a document that can be written through a part of it. */
    private static ObjectNode reduced(ObjectNode document, Part part) {
        ObjectNode copy = document.objectNode().setAll(document);
        return part == Part.STATUS ? copy.retain("status") : copy.without("status");
    }

    /** Stores the owners, unless only a time changed. */
    void settle(ObjectNode before, ObjectNode after, ManagedFields managed) {
        settle(before, after, get(before), managed);
    }

    private static void settle(
            ObjectNode before, ObjectNode after, ManagedFields known, ManagedFields managed) {
        if (managed.isSameButForTime(known)) {
            Metadata.copy(FIELD, before.path("metadata"), Metadata.of(after));
            if (Content.isSame(before, after)) {
                return;
            }
        }
        set(after, managed);
    }

    private static ManagedFields claimed(ObjectNode document, ManagedFields known) {
        JsonNode entries = document.path("metadata").path(FIELD);
        if (ManagedFieldsCodec.isReset(entries)) {
            return ManagedFields.NONE;
        }
        return ManagedFieldsCodec.decode(entries)
                .filter(managed -> !managed.isEmpty())
                .orElse(known);
    }

    private static ManagedFields get(ObjectNode document) {
        return ManagedFieldsCodec.decode(document.path("metadata").path(FIELD))
                .orElse(ManagedFields.NONE);
    }

    static void set(ObjectNode document, ManagedFields managed) {
        ObjectNode metadata = Metadata.of(document);
        if (managed.isEmpty()) {
            metadata.remove(FIELD);
        } else {
            metadata.set(FIELD, ManagedFieldsCodec.encode(managed));
        }
    }

    /** Returns a copy of a document without its managed fields. */
    static ObjectNode without(ObjectNode document) {
        ObjectNode copy = document.objectNode().setAll(document);
        if (copy.path("metadata") instanceof ObjectNode metadata) {
            ObjectNode rest = metadata.objectNode().setAll(metadata);
            rest.remove(FIELD);
            copy.set("metadata", rest);
        }
        return copy;
    }

    private static String subresource(Part part, WriteOptions options) {
        return switch (part) {
            case RESOURCE -> options.subresource();
            case STATUS -> "status";
            case FINALIZERS -> "finalize";
        };
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
