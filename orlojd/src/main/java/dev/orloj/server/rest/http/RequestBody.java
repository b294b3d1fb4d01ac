package dev.orloj.server.rest.http;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.DocumentReader;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.MalformedDocumentException;
import dev.orloj.server.protobuf.KubernetesProtobuf;
import dev.orloj.server.registry.Patch;

import jakarta.servlet.http.HttpServletRequest;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ArrayNode;

import java.io.IOException;

/**
 * The body of a request, of bounded size, and its parsed forms.
 *
 * @param contentType as the client states it; JSON without a header
 */
public record RequestBody(String contentType, byte[] bytes) {

    static final int MAX_BYTES = 3 * 1024 * 1024;

    /**
     * @throws ApiException (RequestEntityTooLarge)
     */
    public static RequestBody read(HttpServletRequest request) throws IOException {
        long announced = request.getContentLengthLong();
        if (announced > MAX_BYTES) {
            throw tooLarge();
        }
        // The container ends a body at its announced length; reading more would allocate more.
        int most = announced < 0 ? MAX_BYTES + 1 : (int) announced;
        byte[] bytes = request.getInputStream().readNBytes(most);
        if (bytes.length > MAX_BYTES) {
            throw tooLarge();
        }
        return new RequestBody(MediaTypes.contentType(request.getContentType()), bytes);
    }

    private static ApiException tooLarge() {
        return new ApiException(
                ErrorReason.REQUEST_ENTITY_TOO_LARGE,
                "the body of the request is too large, the limit is %d bytes".formatted(MAX_BYTES));
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /**
     * The resource in the body.
     *
     * @throws ApiException (BadRequest, UnsupportedMediaType)
     */
    public Document document() {
        return switch (contentType) {
            case MediaTypes.JSON -> json();
            case MediaTypes.YAML -> yaml();
            case KubernetesProtobuf.MEDIA_TYPE -> KubernetesProtobuf.read(bytes);
            default ->
                    throw MediaTypes.unsupported(
                            MediaTypes.JSON, MediaTypes.YAML, KubernetesProtobuf.MEDIA_TYPE);
        };
    }

    /**
     * The patch in the body.
     *
     * @throws ApiException (BadRequest, UnsupportedMediaType)
     */
    public Patch patch() {
        return switch (contentType) {
            case MediaTypes.MERGE_PATCH -> new Patch.Merge(json());
            case MediaTypes.JSON_PATCH -> new Patch.Operations(operations());
            default ->
                    throw MediaTypes.unsupported(
                            MediaTypes.JSON_PATCH, MediaTypes.MERGE_PATCH, MediaTypes.APPLY_PATCH);
        };
    }

    /**
     * The patch of a resource in the body.
     *
     * @throws ApiException (BadRequest, UnsupportedMediaType)
     */
    public Patch patch(KindDescriptor<?> kind) {
        if (!kind.strategicMerge()) {
            return patch();
        }
        return switch (contentType) {
            case MediaTypes.STRATEGIC_PATCH -> new Patch.Strategic(json(), kind.schema());
            case MediaTypes.MERGE_PATCH, MediaTypes.JSON_PATCH -> patch();
            default ->
                    throw MediaTypes.unsupported(
                            MediaTypes.JSON_PATCH,
                            MediaTypes.MERGE_PATCH,
                            MediaTypes.STRATEGIC_PATCH,
                            MediaTypes.APPLY_PATCH);
        };
    }

    /** Whether the body is an apply configuration rather than another patch. */
    public boolean isApplied() {
        return contentType.equals(MediaTypes.APPLY_PATCH);
    }

    /**
     * The apply configuration in the body: YAML, which includes JSON.
     *
     * @throws ApiException (BadRequest)
     */
    public Document applied() {
        return isJson() ? json() : yaml();
    }

    private boolean isJson() {
        try {
            return Json.MAPPER.readTree(bytes).isObject();
        } catch (JacksonException e) {
            return false;
        }
    }

    private Document json() {
        try {
            return DocumentReader.readJson(bytes);
        } catch (MalformedDocumentException e) {
            throw malformed("JSON", "line %d: %s".formatted(e.line(), e.getMessage()));
        }
    }

    private Document yaml() {
        try {
            return DocumentReader.readYaml(bytes);
        } catch (MalformedDocumentException e) {
            throw malformed("YAML", "line %d: %s".formatted(e.line(), e.getMessage()));
        }
    }

    private ArrayNode operations() {
        try {
            if (Json.MAPPER.readTree(bytes) instanceof ArrayNode operations) {
                return operations;
            }
            throw malformed("JSON patch", "expected a list of operations");
        } catch (JacksonException e) {
            throw malformed(
                    "JSON patch", String.valueOf(MalformedDocumentException.of(e).getMessage()));
        }
    }

    private static ApiException malformed(String what, String why) {
        return ApiException.badRequest(
                "the body of the request is no %s that can be read: %s".formatted(what, why));
    }
}
