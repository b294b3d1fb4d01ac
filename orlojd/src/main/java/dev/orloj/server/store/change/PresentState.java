package dev.orloj.server.store.change;

import dev.orloj.server.store.table.ContinueToken;
import dev.orloj.server.store.table.DocumentList;
import dev.orloj.server.store.table.Selection;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** Reads the state at one revision, page by page. For one thread. */
public final class PresentState {

    private static final int PAGE = 500;

    private final ResourceLists lists;
    private final Selection selection;
    private final long revision;

    private List<ObjectNode> items;
    private String continueToken;

    /** Reads the first page. */
    public PresentState(ResourceLists lists, Selection selection) {
        this.lists = lists;
        this.selection = selection;
        DocumentList first = lists.first(selection, PAGE);
        this.revision = first.version().value();
        this.items = first.items();
        this.continueToken = first.continueToken();
    }

    public long revision() {
        return revision;
    }

    /** The resources that were not delivered yet, as many as have been read. */
    List<ObjectNode> nextPage() {
        if (items.isEmpty() && !continueToken.isEmpty()) {
            DocumentList page = lists.next(selection, ContinueToken.decode(continueToken), PAGE);
            items = page.items();
            continueToken = page.continueToken();
        }
        List<ObjectNode> page = items;
        items = List.of();
        return page;
    }

    boolean isComplete() {
        return items.isEmpty() && continueToken.isEmpty();
    }
}
