package dev.orloj.server.apply;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/**
 * Implements server-side apply: merges the fields that a manager applies into the live document,
 * removes the fields that the manager no longer applies, and rejects changes to fields of other
 * managers. Stateless, safe for many threads.
 */
public final class Applier {

    /** This client may take over the fields that it wrote before server-side apply existed. */
    private static final String KUBECTL = "kubectl";

    private final FieldType type;
    private final Shapes shapes;

    public Applier(FieldType type, Shapes shapes) {
        this.type = type;
        this.shapes = shapes;
    }

    /**
     * Describes one apply request.
     *
     * @param live the live document; an empty document when the object does not exist
     * @param config all fields that the manager applies
     * @param managed the owners of the fields of {@code live}
     * @param force whether to take over fields that other managers own
     */
    public record Request(
            ObjectNode live,
            ObjectNode config,
            ManagedFields managed,
            Manager manager,
            String time,
            boolean force) {}

    /** Holds the resulting document and the owners of its fields. */
    public record Outcome(ObjectNode document, ManagedFields managed) {}

    /**
     * Applies a configuration.
     *
     * @throws ConflictException when other managers own changed fields and the request does not
     *     force
     */
    public Outcome apply(Request request) {
        if (!request.manager().name().equals(KUBECTL)) {
            return apply(request, FieldSet.EMPTY);
        }
        FieldSet own =
                LastApplied.of(request.live())
                        .map(applied -> unchanged(applied, request.live()))
                        .orElse(FieldSet.EMPTY);
        Outcome outcome = apply(request, own);
        LastApplied.refresh(outcome.document(), request.config());
        return outcome;
    }

    /** Returns the fields that the last client-side apply set and that have not changed since. */
    private FieldSet unchanged(ObjectNode lastApplied, ObjectNode live) {
        Comparison since = Comparison.of(type, lastApplied, live);
        return FieldCollector.fieldsOf(type, lastApplied)
                .minus(since.changed())
                .minus(since.removed());
    }

    /**
     * @param free fields of other managers that this manager may take over without force
     */
    private Outcome apply(Request request, FieldSet free) {
        Manager manager = request.manager();
        ManagedFields managed = request.managed();
        ObjectNode config = Bookkeeping.removedFrom(request.config());
        FieldSet wanted = FieldCollector.fieldsOf(type, config);
        List<FieldSet> owners = new ArrayList<>(List.of(wanted, Bookkeeping.FIELDS));
        List<ManagedFields.Entry> others = managed.others(manager, shapes);
        others.forEach(other -> owners.add(other.fields()));
        FieldSet owned = FieldSet.union(owners);
        JsonNode merged = Merge.of(type, request.live(), config);
        ObjectNode document =
                new FieldPruning(type, managed.of(manager, shapes), owned).of((ObjectNode) merged);

        Comparison comparison = Comparison.of(type, request.live(), document);
        FieldSet changed = comparison.changed();
        if (!request.force()) {
            requireNoConflict(others, changed.minus(free));
        }
        ManagedFields left =
                managed.takenFromOthers(manager, changed.union(comparison.removed()), shapes);
        return new Outcome(
                document, left.with(manager, wanted.minus(Bookkeeping.FIELDS), request.time()));
    }

    private static void requireNoConflict(List<ManagedFields.Entry> others, FieldSet changed) {
        List<Conflict> conflicts = new ArrayList<>();
        for (ManagedFields.Entry other : others) {
            for (List<PathElement> path : other.fields().intersection(changed).paths()) {
                conflicts.add(Conflict.of(other, path));
            }
        }
        if (!conflicts.isEmpty()) {
            throw new ConflictException(conflicts);
        }
    }
}
