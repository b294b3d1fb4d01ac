package dev.orloj.server.store.change;

import dev.orloj.api.WatchEvent;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.server.store.table.DocumentCodec;
import dev.orloj.server.store.table.ResourceTable;
import dev.orloj.server.store.table.Selection;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/**
 * Converts a change into the event of one watch. With selectors a change may bring a resource into
 * the selection, which is an addition, or take it out, which is a deletion with the last state that
 * was in.
 */
public final class ChangeSelector {

    private final Selection selection;
    private final DocumentCodec codec;
    private final String kindColumn;

    public ChangeSelector(Selection selection, DocumentCodec codec) {
        this.selection = selection;
        this.codec = codec;
        this.kindColumn = ResourceTable.column(selection.kind());
    }

    KindDescriptor<?> kind() {
        return selection.kind();
    }

    String kindColumn() {
        return kindColumn;
    }

    Optional<WatchEvent<ObjectNode>> toEvent(Change change) {
        if (!change.kind().equals(kindColumn) || !selection.covers(change.key())) {
            return Optional.empty();
        }
        if (!selection.hasSelectors()) {
            return Optional.of(
                    switch (change.type()) {
                        case ADDED -> new WatchEvent.Added<>(after(change));
                        case MODIFIED -> new WatchEvent.Modified<>(after(change));
                        case DELETED -> new WatchEvent.Deleted<>(after(change));
                    });
        }
        Optional<ObjectNode> selectedBefore =
                Optional.ofNullable(change.before())
                        .map(json -> DocumentCodec.parse(change.revision(), json))
                        .filter(before -> selection.matches(change.key(), before));
        if (change.type() == Change.Type.DELETED) {
            return selectedBefore.map(_ -> new WatchEvent.Deleted<>(after(change)));
        }
        if (selection.matches(change.key(), change.object())) {
            return Optional.of(
                    selectedBefore.isPresent()
                            ? new WatchEvent.Modified<>(after(change))
                            : new WatchEvent.Added<>(after(change)));
        }
        return selectedBefore.map(before -> new WatchEvent.Deleted<>(opened(change, before)));
    }

    private ObjectNode after(Change change) {
        return opened(change, change.object());
    }

    private ObjectNode opened(Change change, ObjectNode document) {
        return codec.opened(selection.kind(), change.key(), document);
    }
}
