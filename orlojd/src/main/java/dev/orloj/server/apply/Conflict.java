package dev.orloj.server.apply;

import java.util.List;

/** A field that one manager wants to have another value than its owner gave it. */
public record Conflict(Manager owner, String field) {

    static Conflict of(ManagedFields.Entry owner, List<PathElement> path) {
        return new Conflict(owner.manager(), FieldSet.text(path));
    }

    /** The owner, as messages name it. */
    public String ownerText() {
        StringBuilder text = new StringBuilder("\"").append(owner.name()).append('"');
        if (!owner.subresource().isEmpty()) {
            text.append(" with subresource \"").append(owner.subresource()).append('"');
        }
        if (owner.isUpdating()) {
            text.append(" using ").append(owner.apiVersion());
        }
        return text.toString();
    }
}
