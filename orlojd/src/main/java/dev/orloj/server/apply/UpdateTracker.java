package dev.orloj.server.apply;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tracks managers that do not apply: a manager that changes a field owns it from then on.
 * Stateless, safe for many threads.
 */
public final class UpdateTracker {

    /** The maximum number of updating managers. Beyond it, the oldest share one entry. */
    static final int MAX_UPDATERS = 10;

    static final String OLDEST = "ancient-changes";

    private final FieldType type;
    private final Shapes shapes;

    public UpdateTracker(FieldType type, Shapes shapes) {
        this.type = type;
        this.shapes = shapes;
    }

    /** Returns the owners of a new document: its creator owns everything, defaults included. */
    public ManagedFields created(ObjectNode document, Manager creator, String time) {
        FieldSet fields = Comparison.of(type, document.objectNode(), document).added();
        return ManagedFields.NONE.with(creator, fields, time);
    }

    /**
     * Returns the owners after an update.
     *
     * @param managed the owners before the update; when empty, as for objects stored before
     *     ownership was tracked, the result stays empty until a client applies
     */
    public ManagedFields updated(
            ObjectNode before,
            ObjectNode after,
            ManagedFields managed,
            Manager updater,
            String time) {
        Comparison comparison = Comparison.of(type, before, after);
        if (managed.isEmpty() || comparison.isEmpty()) {
            return managed;
        }
        FieldSet changed = comparison.changed();
        FieldSet removed = comparison.removed();
        ManagedFields others = managed.takenFromOthers(updater, changed.union(removed), shapes);
        FieldSet own = managed.of(updater, shapes).minus(removed).union(changed);
        String since = changed.isEmpty() ? timeOf(managed, updater) : time;
        return capped(others.with(updater, own, since));
    }

    private static String timeOf(ManagedFields managed, Manager manager) {
        return managed.entries().stream()
                .filter(entry -> entry.manager().equals(manager))
                .map(ManagedFields.Entry::time)
                .findFirst()
                .orElse("");
    }

    private static ManagedFields capped(ManagedFields managed) {
        List<ManagedFields.Entry> updaters =
                managed.entries().stream()
                        .filter(entry -> entry.manager().isUpdating())
                        .sorted(Comparator.comparing(ManagedFields.Entry::time))
                        .toList();
        int surplus = updaters.size() - MAX_UPDATERS;
        if (surplus <= 0) {
            return managed;
        }
        List<ManagedFields.Entry> kept = new ArrayList<>(managed.entries());
        // The first entry of each view becomes the one into which the next are merged.
        Map<String, ManagedFields.Entry> oldest = new HashMap<>();
        for (ManagedFields.Entry entry : updaters) {
            String view = entry.manager().apiVersion();
            ManagedFields.Entry bucket = oldest.get(view);
            if (bucket == null) {
                oldest.put(view, entry);
                continue;
            }
            if (surplus-- <= 0) {
                break;
            }
            ManagedFields.Entry joined =
                    new ManagedFields.Entry(
                            Manager.updating(OLDEST, view, ""),
                            bucket.fields().union(entry.fields()),
                            entry.time());
            kept.remove(bucket);
            kept.remove(entry);
            kept.add(joined);
            oldest.put(view, joined);
        }
        return ManagedFields.of(kept);
    }

    /**
     * Returns the owner of a document without ownership records: the manager {@code
     * before-first-apply}.
     */
    public ManagedFields unaccounted(
            ObjectNode document, String apiVersion, String subresource, String time) {
        Manager before = Manager.updating("before-first-apply", apiVersion, subresource);
        return created(document, before, time);
    }
}
