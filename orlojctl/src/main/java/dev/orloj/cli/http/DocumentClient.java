package dev.orloj.cli.http;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads and writes resources as documents, which preserve fields that a newer server knows and this
 * client does not.
 */
public final class DocumentClient {

    private static final String PAGE = "500";

    private final ApiConnection connection;

    /** The items of a list, and its revision. */
    public record Listing(String version, List<ObjectNode> items) {}

    public DocumentClient(ApiConnection connection) {
        this.connection = connection;
    }

    public Optional<ObjectNode> find(Kind<?> kind, ResourceKey key) {
        try {
            return Optional.of(connection.readObject(Request.get(Paths.of(kind, key))));
        } catch (ApiException e) {
            if (e.reason() == ErrorReason.NOT_FOUND && isAbout(e, key)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** A 404 of an unknown path is not a missing resource. */
    private static boolean isAbout(ApiException e, ResourceKey key) {
        return e.details().map(details -> details.name().equals(key.name())).orElse(false);
    }

    public ObjectNode get(Kind<?> kind, ResourceKey key) {
        return find(kind, key).orElseThrow(() -> ApiException.notFound(kind, key.name()));
    }

    /** Lists all selected resources, page by page, at one revision. */
    public Listing list(ResourceSelection selection) {
        List<ObjectNode> items = new ArrayList<>();
        String token = "";
        while (true) {
            ObjectNode page =
                    connection.readObject(
                            selection.request().with("limit", PAGE).with("continue", token));
            for (JsonNode item : page.path("items")) {
                items.add(identified(selection.kind(), (ObjectNode) item));
            }
            token = page.at("/metadata/continue").asString("");
            if (token.isEmpty()) {
                return new Listing(page.at("/metadata/resourceVersion").asString(""), items);
            }
        }
    }

    /** Items of a core list have no kind and apiVersion of their own. */
    private static ObjectNode identified(Kind<?> kind, ObjectNode item) {
        if (!item.has("kind")) {
            item.put("apiVersion", kind.apiVersion()).put("kind", kind.name());
        }
        return item;
    }

    /** Creates the resource; the server rejects fields that it does not know. */
    public ObjectNode create(Kind<?> kind, String namespace, ObjectNode document) {
        byte[] body = Json.MAPPER.writeValueAsBytes(document);
        Request request = Request.of("POST", Paths.of(kind, namespace), body);
        return connection.readObject(
                request.with("fieldValidation", "Strict").with("fieldManager", "orlojctl"));
    }

    /** Deletes a resource; returns it while finalizers remain, otherwise a Status. */
    public ObjectNode delete(Kind<?> kind, ResourceKey key, ObjectNode options) {
        byte[] body = Json.MAPPER.writeValueAsBytes(options);
        return connection.readObject(Request.of("DELETE", Paths.of(kind, key), body));
    }
}
