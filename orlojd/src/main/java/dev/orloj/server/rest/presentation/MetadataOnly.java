package dev.orloj.server.rest.presentation;

import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;

import tools.jackson.databind.node.ObjectNode;

/**
 * Shows only the metadata of resources.
 *
 * @param version of the group meta.k8s.io
 */
record MetadataOnly(KindDescriptor<?> kind, String version) implements ObjectPresentation {

    @Override
    public ObjectNode one(ObjectNode document) {
        ObjectNode partial = head("");
        partial.set("metadata", document.path("metadata"));
        return partial;
    }

    @Override
    public ObjectNode head(String kindSuffix) {
        return empty("PartialObjectMetadata" + kindSuffix, version);
    }

    static ObjectNode empty(String kind, String version) {
        ObjectNode object = Json.MAPPER.createObjectNode();
        object.put("kind", kind);
        object.put("apiVersion", "meta.k8s.io/" + version);
        return object;
    }
}
