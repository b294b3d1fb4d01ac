package dev.orloj.server.apply;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/**
 * Server-side apply: puts what a manager wants over what there is, takes away what it wants no
 * longer, and refuses to change what others own. Stateless, safe for many threads.
 */
public final class Applier {

    /** The client that may take over what it wrote before there was server-side apply. */
    private static final String KUBECTL = "kubectl";

    private final FieldType type;
    private final Shapes shapes;

    Applier(FieldType type) {
        this(type, Shapes.ONE);
    }

    public Applier(FieldType type, Shapes shapes) {
        this.type = type;
        this.shapes = shapes;
    }

    /**
     * @param live what there is, an empty document when there is nothing
     * @param config all that the manager cares for
     * @param managed who owns what of {@code live}
     * @param force whether to take over what others own
     */
    public record Request(
            ObjectNode live,
            ObjectNode config,
            ManagedFields managed,
            Manager manager,
            String time,
            boolean force) {}

    /** What there should be, and who owns what of it. */
    public record Outcome(ObjectNode document, ManagedFields managed) {}

    /**
     * @throws ConflictException
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

    /** What the client once applied by itself, and nobody changed since, is its own. */
    private FieldSet unchanged(ObjectNode lastApplied, ObjectNode live) {
        Comparison since = Comparison.of(type, lastApplied, live);
        return FieldCollector.fieldsOf(type, lastApplied)
                .minus(since.changed())
                .minus(since.removed());
    }

    /**
     * @param free what others own and may be taken from them
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
                new Pruning(type, managed.of(manager, shapes), owned).of((ObjectNode) merged);

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
