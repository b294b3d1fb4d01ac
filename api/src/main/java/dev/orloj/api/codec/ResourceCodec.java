package dev.orloj.api.codec;

import dev.orloj.api.ApiException;
import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

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
     * @throws ApiException (Invalid) when the document does not fit the kind, which its schema says
     *     before
     */
    public static <R extends Resource> R fromDocument(Kind<R> kind, ObjectNode document) {
        try {
            return Json.MAPPER.treeToValue(document, kind.type());
        } catch (JacksonException e) {
            String name = document.at("/metadata/name").asString("");
            String what = "does not fit %s of %s".formatted(kind.name(), kind.apiVersion());
            throw ApiException.invalid(
                    kind, name, List.of(FieldError.invalid(path(e), "...", what)));
        }
    }

    /** Where it was, and nothing of what the mapper says: that names types of Java. */
    private static FieldPath path(JacksonException e) {
        FieldPath path = FieldPath.root();
        for (JacksonException.Reference step : e.getPath()) {
            String field = step.getPropertyName();
            path = field == null ? path.index(step.getIndex()) : path.child(field);
        }
        return path;
    }
}
