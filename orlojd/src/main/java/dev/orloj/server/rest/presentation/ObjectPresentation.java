package dev.orloj.server.rest.presentation;

import dev.orloj.api.ResourceVersion;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.server.store.table.DocumentList;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Shows each resource as one object, and the same in lists and in events. */
sealed interface ObjectPresentation extends Presentation permits MetadataOnly, WholeObjects {

    KindDescriptor<?> kind();

    /** Returns an object with only its kind and its {@code apiVersion}. */
    ObjectNode head(String kindSuffix);

    @Override
    default ObjectNode list(DocumentList page) {
        ObjectNode list = head("List");
        list.set("metadata", Presentation.listMetadata(page));
        ArrayNode items = list.putArray("items");
        page.items().forEach(document -> items.add(one(document)));
        return list;
    }

    @Override
    default ObjectNode event(ObjectNode document) {
        return one(document);
    }

    /** Whether watches share the documents of the kind: neither decrypted nor converted. */
    @Override
    default boolean isCommon() {
        return kind().view().isEmpty() && kind().sensitiveFields().isEmpty();
    }

    @Override
    default ObjectNode bookmark(ResourceVersion version, boolean initialEventsEnd) {
        ObjectNode bookmark = head("");
        bookmark.set("metadata", Presentation.bookmarkMetadata(version, initialEventsEnd));
        return bookmark;
    }
}
