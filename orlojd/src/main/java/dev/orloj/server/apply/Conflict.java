package dev.orloj.server.apply;

import java.util.List;

/** Names a field to which one manager assigns a value that differs from its owner's. */
public record Conflict(Manager owner, String field) {

    static Conflict of(ManagedFields.Entry owner, List<PathElement> path) {
        return new Conflict(owner.manager(), FieldSet.text(path));
    }

    /** Returns the owner as it appears in messages. */
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
