package dev.orloj.server.rest.presentation;

import dev.orloj.api.ResourceVersion;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.server.store.table.DocumentList;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Shows resources unchanged. */
record WholeObjects(KindDescriptor<?> kind) implements Presentation {

    @Override
    public ObjectNode one(ObjectNode document) {
        return document;
    }

    @Override
    public ObjectNode list(DocumentList page) {
        ObjectNode list = Json.MAPPER.createObjectNode();
        list.put("kind", kind.kind().name() + "List");
        list.put("apiVersion", kind.kind().apiVersion());
        list.set("metadata", Presentation.listMetadata(page));
        ArrayNode items = list.putArray("items");
        page.items().forEach(document -> items.add(one(document)));
        return list;
    }

    @Override
    public ObjectNode event(ObjectNode document) {
        return one(document);
    }

    @Override
    public boolean isCommon() {
        return Presentation.isShared(kind);
    }

    @Override
    public ObjectNode bookmark(ResourceVersion version, boolean initialEventsEnd) {
        ObjectNode bookmark = Json.MAPPER.createObjectNode();
        bookmark.put("kind", kind.kind().name());
        bookmark.put("apiVersion", kind.kind().apiVersion());
        bookmark.set("metadata", Presentation.bookmarkMetadata(version, initialEventsEnd));
        return bookmark;
    }
}
