package dev.orloj.server.apply;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Records which manager owns which fields of one resource. Omits managers that own nothing.
 * Immutable.
 */
public final class ManagedFields {

    public static final ManagedFields NONE = new ManagedFields(List.of());

    private static final Comparator<Entry> ORDER =
            Comparator.comparing((Entry e) -> e.manager().operation())
                    .thenComparing(Entry::time)
                    .thenComparing(e -> e.manager().name())
                    .thenComparing(e -> e.manager().apiVersion())
                    .thenComparing(e -> e.manager().subresource());

    /**
     * Holds the fields of one manager.
     *
     * @param time when the manager last claimed or changed fields; may be empty
     */
    record Entry(Manager manager, FieldSet fields, String time) {}

    private final List<Entry> entries;

    private ManagedFields(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** Joins several entries of one manager. */
    static ManagedFields of(List<Entry> entries) {
        Map<Manager, Entry> byManager = new LinkedHashMap<>();
        for (Entry entry : entries) {
            byManager.merge(
                    entry.manager(),
                    entry,
                    (a, b) -> new Entry(a.manager(), a.fields().union(b.fields()), later(a, b)));
        }
        return new ManagedFields(
                byManager.values().stream()
                        .filter(entry -> !entry.fields().isEmpty())
                        .sorted(ORDER)
                        .toList());
    }

    private static String later(Entry a, Entry b) {
        return a.time().compareTo(b.time()) >= 0 ? a.time() : b.time();
    }

    List<Entry> entries() {
        return entries;
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Returns the fields that a manager owns, in the manager's shape. */
    FieldSet of(Manager manager, Shapes shapes) {
        return FieldSet.union(
                entries.stream()
                        .filter(entry -> entry.manager().isSame(manager))
                        .map(entry -> seen(entry, manager, shapes).fields())
                        .toList());
    }

    private static Entry seen(Entry entry, Manager viewer, Shapes shapes) {
        FieldSet fields =
                shapes.convert(entry.fields(), entry.manager().apiVersion(), viewer.apiVersion());
        return new Entry(entry.manager(), fields, entry.time());
    }

    /** Returns a copy with the fields of a manager replaced. */
    ManagedFields with(Manager manager, FieldSet fields, String time) {
        List<Entry> changed = new ArrayList<>(entries);
        changed.removeIf(entry -> entry.manager().isSame(manager));
        changed.add(new Entry(manager, fields, time));
        return of(changed);
    }

    /**
     * Returns a copy with fields removed from all other managers.
     *
     * @param taken in the shape of the manager
     */
    ManagedFields takenFromOthers(Manager manager, FieldSet taken, Shapes shapes) {
        return of(
                entries.stream()
                        .map(
                                entry ->
                                        isOther(entry, manager)
                                                ? less(entry, manager, taken, shapes)
                                                : entry)
                        .toList());
    }

    private static Entry less(Entry entry, Manager taker, FieldSet taken, Shapes shapes) {
        FieldSet theirs = shapes.convert(taken, taker.apiVersion(), entry.manager().apiVersion());
        return new Entry(entry.manager(), entry.fields().minus(theirs), entry.time());
    }

    /** Returns the entries of all other managers, in the shape of this one. */
    List<Entry> others(Manager manager, Shapes shapes) {
        return entries.stream()
                .filter(entry -> isOther(entry, manager))
                .map(entry -> seen(entry, manager, shapes))
                .toList();
    }

    private static boolean isOther(Entry entry, Manager manager) {
        return !entry.manager().isSame(manager);
    }

    /** Returns whether the same managers own the same fields, regardless of the times. */
    public boolean isSameButForTime(ManagedFields other) {
        return owners().equals(other.owners());
    }

    private Map<Manager, FieldSet> owners() {
        Map<Manager, FieldSet> owners = new LinkedHashMap<>();
        entries.forEach(entry -> owners.put(entry.manager(), entry.fields()));
        return owners;
    }

    @Override
    public String toString() {
        return entries.toString();
    }
}
