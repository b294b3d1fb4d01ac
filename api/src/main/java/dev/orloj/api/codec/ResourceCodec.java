package dev.orloj.api.codec;

import dev.orloj.api.ApiException;
import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** Converts resources to documents and back. */
public final class ResourceCodec {

    private ResourceCodec() {}

    /** Returns the document of a resource without absent fields. */
    public static ObjectNode toDocument(Resource resource) {
        return Json.MAPPER.valueToTree(resource);
    }

    /**
     * Returns the resource for a document.
     *
     * @throws ApiException (Invalid) when the document does not fit the kind, which a check with
     *     its schema finds earlier
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

    /** Returns the position of the error only. The message of the mapper names Java types. */
    private static FieldPath path(JacksonException e) {
        FieldPath path = FieldPath.root();
        for (JacksonException.Reference step : e.getPath()) {
            String field = step.getPropertyName();
            path = field == null ? path.index(step.getIndex()) : path.child(field);
        }
        return path;
    }
}
