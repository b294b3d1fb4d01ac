package dev.orloj.server.store.audit;

import dev.orloj.api.codec.Json;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses events for a list. A part of an event is found by its text, so that there is no second
 * copy of it that could say something else than the chain.
 */
public final class AuditSelection {

    private final List<String> conditions = new ArrayList<>(List.of("sequence < ?"));
    private final List<Object> parameters = new ArrayList<>();
    private final int limit;

    /**
     * @param before the sequence that the list ends before
     */
    public AuditSelection(long before, int limit) {
        parameters.add(before);
        this.limit = limit;
    }

    /** Chooses events with this value of a field; all with an empty one. */
    public AuditSelection with(String field, String value) {
        if (!value.isEmpty()) {
            conditions.add("strpos(event, ?) > 0");
            parameters.add("\"%s\":%s".formatted(field, Json.MAPPER.writeValueAsString(value)));
        }
        return this;
    }

    public AuditSelection since(Instant time) {
        conditions.add("written_at >= ?");
        parameters.add(Timestamp.from(time));
        return this;
    }

    String sql() {
        return "SELECT sequence, event FROM audit_event WHERE "
                + String.join(" AND ", conditions)
                + " ORDER BY sequence DESC LIMIT "
                + limit;
    }

    List<Object> parameters() {
        return parameters;
    }
}
