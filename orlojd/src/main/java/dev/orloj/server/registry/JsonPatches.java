package dev.orloj.server.registry;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.Json;

import io.fabric8.zjsonpatch.CompatibilityFlags;
import io.fabric8.zjsonpatch.JsonPatch;
import io.fabric8.zjsonpatch.JsonPatchException;
import io.fabric8.zjsonpatch.Operation;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.EnumSet;
import java.util.Set;

/** Applies JSON patches of clients: validates their form first and limits their growth. */
final class JsonPatches {

    static final int MAX_OPERATIONS = 10_000;

    /** Limits copies, because each may double the document. */
    static final int MAX_COPIES = 50;

    /**
     * By default the library ignores the removal of a missing value, which RFC 6902 (4.2) forbids.
     */
    private static final EnumSet<CompatibilityFlags> STRICT =
            EnumSet.of(CompatibilityFlags.FORBID_REMOVE_MISSING_OBJECT);

    private static final int MAX_BYTES = 3 * 1024 * 1024;
    private static final Set<String> WITH_VALUE = Set.of("add", "replace", "test");
    private static final Set<String> WITH_FROM = Set.of("move", "copy");

    private JsonPatches() {}

    /**
     * @throws ApiException (BadRequest) when the patch is malformed, (Invalid) when it does not fit
     *     the document
     */
    static ObjectNode apply(ArrayNode patch, ObjectNode base) {
        check(patch);
        JsonNode document = base;
        ArrayNode batch = Json.MAPPER.createArrayNode();
        for (JsonNode operation : patch) {
            batch.add(operation);
            if (operation.path("op").asString("").equals("copy")) {
                document = applyBatch(batch, document);
                batch = Json.MAPPER.createArrayNode();
                requireSize(document);
            }
        }
        document = applyBatch(batch, document);
        if (!(document instanceof ObjectNode object)) {
            throw unprocessable("the patch makes something that is no object out of the resource");
        }
        return object;
    }

    private static JsonNode applyBatch(ArrayNode batch, JsonNode document) {
        try {
            return batch.isEmpty() ? document : JsonPatch.apply(batch, document, STRICT);
        } catch (JsonPatchException e) {
            throw unprocessable(why(e));
        } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
            // The library throws these for malformed pointers and indexes.
            throw unprocessable("a path of the patch does not fit: " + e.getMessage());
        }
    }

    /**
     * The library's message on a failed test has the value that is there: it may be secret, and a
     * user who may patch a resource need not be one who may read it.
     */
    private static String why(JsonPatchException e) {
        return e.getOperation() == Operation.TEST
                ? "the test of \"%s\" failed: another value is there, or none"
                        .formatted(e.getPath())
                : String.valueOf(e.getMessage());
    }

    private static void check(ArrayNode patch) {
        if (patch.size() > MAX_OPERATIONS) {
            throw new ApiException(
                    ErrorReason.REQUEST_ENTITY_TOO_LARGE,
                    "the JSON patch has %d operations, the limit is %d"
                            .formatted(patch.size(), MAX_OPERATIONS));
        }
        int copies = 0;
        for (int i = 0; i < patch.size(); i++) {
            JsonNode operation = patch.path(i);
            String op = operation.path("op").asString("");
            boolean known =
                    WITH_VALUE.contains(op) || WITH_FROM.contains(op) || op.equals("remove");
            require(
                    operation.isObject() && known,
                    i,
                    "\"op\" must be add, remove, replace, move, copy or test");
            require(
                    isPointer(operation.path("path")),
                    i,
                    "\"path\" must be a JSON pointer such as /metadata/labels/app");
            require(!WITH_VALUE.contains(op) || operation.has("value"), i, "\"value\" is missing");
            require(
                    !WITH_FROM.contains(op) || isPointer(operation.path("from")),
                    i,
                    "\"from\" must be a JSON pointer");
            copies += op.equals("copy") ? 1 : 0;
            require(copies <= MAX_COPIES, i, "at most " + MAX_COPIES + " operations may be copies");
        }
    }

    private static void require(boolean holds, int position, String remedy) {
        if (!holds) {
            throw ApiException.badRequest(
                    "operation %d of the JSON patch: %s".formatted(position, remedy));
        }
    }

    private static boolean isPointer(JsonNode value) {
        return value.isString() && (value.asString().isEmpty() || value.asString().startsWith("/"));
    }

    private static void requireSize(JsonNode document) {
        if (Json.MAPPER.writeValueAsBytes(document).length > MAX_BYTES) {
            throw new ApiException(
                    ErrorReason.REQUEST_ENTITY_TOO_LARGE,
                    "the JSON patch makes a document of more than %d bytes".formatted(MAX_BYTES));
        }
    }

    private static ApiException unprocessable(String why) {
        return new ApiException(ErrorReason.INVALID, "the JSON patch is rejected: " + why);
    }
}
