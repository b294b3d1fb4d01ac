package dev.orloj.server.apply;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An apply without force would change fields of other managers. */
public final class ConflictException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<Conflict> conflicts;

    ConflictException(List<Conflict> conflicts) {
        super(message(conflicts));
        this.conflicts = List.copyOf(conflicts);
    }

    public List<Conflict> conflicts() {
        return conflicts;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    private static String message(List<Conflict> conflicts) {
        if (conflicts.size() == 1) {
            Conflict only = conflicts.getFirst();
            return "Apply failed with 1 conflict: conflict with %s: %s"
                    .formatted(only.ownerText(), only.field());
        }
        Map<String, List<String>> fields = new TreeMap<>();
        for (Conflict conflict : conflicts) {
            fields.computeIfAbsent(conflict.ownerText(), _ -> new ArrayList<>())
                    .add(conflict.field());
        }
        List<String> lines = new ArrayList<>();
        fields.forEach(
                (owner, owned) -> {
                    lines.add("conflicts with %s:".formatted(owner));
                    owned.forEach(field -> lines.add("- " + field));
                });
        return "Apply failed with %d conflicts: %s"
                .formatted(conflicts.size(), String.join("\n", lines));
    }
}
