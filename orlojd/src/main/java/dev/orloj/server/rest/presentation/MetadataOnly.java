package dev.orloj.server.rest.presentation;

import dev.orloj.api.ResourceVersion;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.server.store.table.DocumentList;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Shows only the metadata of resources.
 *
 * @param version of the group meta.k8s.io
 */
record MetadataOnly(KindDescriptor<?> kind, String version) implements Presentation {

    @Override
    public ObjectNode one(ObjectNode document) {
        ObjectNode partial = empty("PartialObjectMetadata", version);
        partial.set("metadata", document.path("metadata"));
        return partial;
    }

    @Override
    public ObjectNode list(DocumentList page) {
        ObjectNode list = empty("PartialObjectMetadataList", version);
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
    public ObjectNode bookmark(ResourceVersion revision, boolean initialEventsEnd) {
        ObjectNode bookmark = empty("PartialObjectMetadata", version);
        bookmark.set("metadata", Presentation.bookmarkMetadata(revision, initialEventsEnd));
        return bookmark;
    }

    static ObjectNode empty(String kind, String version) {
        ObjectNode object = Json.MAPPER.createObjectNode();
        object.put("kind", kind);
        object.put("apiVersion", "meta.k8s.io/" + version);
        return object;
    }
}
