package dev.orloj.server.rest.presentation;

import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;

import tools.jackson.databind.node.ObjectNode;

/** Shows resources unchanged. */
record WholeObjects(KindDescriptor<?> kind) implements ObjectPresentation {

    @Override
    public ObjectNode one(ObjectNode document) {
        return document;
    }

    @Override
    public ObjectNode head(String kindSuffix) {
        ObjectNode object = Json.MAPPER.createObjectNode();
        object.put("kind", kind.kind().name() + kindSuffix);
        object.put("apiVersion", kind.kind().apiVersion());
        return object;
    }
}
