package dev.orloj.api.codec;

import dev.orloj.api.ApiException;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** Turns resources into documents and back. */
public final class ResourceCodec {

    private ResourceCodec() {}

    /** The document of a resource; absent fields are left out. */
    public static ObjectNode toDocument(Resource resource) {
        return Json.MAPPER.valueToTree(resource);
    }

    /**
     * The resource that a document describes.
     *
     * @throws ApiException (BadRequest) when the document does not fit the kind
     */
    public static <R extends Resource> R fromDocument(Kind<R> kind, ObjectNode document) {
        try {
            return Json.MAPPER.treeToValue(document, kind.type());
        } catch (JacksonException e) {
            throw ApiException.badRequest(
                    "%s in version \"%s\" cannot be handled as a %s: %s"
                            .formatted(
                                    kind.name(),
                                    kind.version(),
                                    kind.name(),
                                    e.getOriginalMessage()));
        }
    }
}
