package dev.orloj.cli.apply;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.cli.http.ApiConnection;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Reply;
import dev.orloj.cli.http.Request;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;
import java.util.function.Consumer;

/** Sends the requests of an apply. Safe for many threads. */
final class ApplyClient {

    private static final String APPLY_PATCH = "application/apply-patch+yaml";
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String METADATA =
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
    private static final String METADATA_LIST =
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
    private static final String PAGE = "500";

    private final ApiConnection connection;

    ApplyClient(ApiConnection connection) {
        this.connection = connection;
    }

    /**
     * @throws ApiException (Conflict) when other managers own changed fields
     */
    Applied apply(Intent intent, ApplyOptions options) {
        return apply(intent, options, "");
    }

    /**
     * @param version that the resource must have; empty for any
     * @throws ApiException (Conflict) when it has another version, or when other managers own
     *     changed fields
     */
    Applied apply(Intent intent, ApplyOptions options, String version) {
        ObjectNode document = intent.body();
        if (!version.isEmpty()) {
            document.withObject("/metadata").put("resourceVersion", version);
        }
        // Every JSON document is also a YAML document.
        byte[] body = Json.MAPPER.writeValueAsBytes(document);
        Reply reply =
                connection.patch(
                        Request.of("PATCH", Paths.of(intent.kind(), intent.key()), body)
                                .withHeader("Content-Type", APPLY_PATCH)
                                .withHeader("Prefer", "outcome")
                                .with("fieldManager", options.fieldManager())
                                .with("force", options.force() ? "true" : "")
                                .with("dryRun", options.dryRun() ? "All" : "")
                                .with("fieldValidation", "Strict"));
        return new Applied(
                Effect.of(reply.header("orloj-outcome"), reply.status()),
                connection.object(reply.body()),
                reply.warnings());
    }

    /**
     * Writes the managed fields of a resource, if it still has the version.
     *
     * @throws ApiException (Conflict) when it has another version
     */
    void replaceManagedFields(Kind<?> kind, ResourceKey key, ArrayNode entries, String version) {
        ArrayNode patch = Json.MAPPER.createArrayNode();
        patch.addObject()
                .put("op", "replace")
                .put("path", "/metadata/managedFields")
                .set("value", entries);
        patch.addObject()
                .put("op", "replace")
                .put("path", "/metadata/resourceVersion")
                .put("value", version);
        connection.patch(
                Request.of("PATCH", Paths.of(kind, key), Json.MAPPER.writeValueAsBytes(patch))
                        .withHeader("Content-Type", JSON_PATCH)
                        .with("fieldManager", ApplyOptions.FIELD_MANAGER));
    }

    ObjectNode get(Kind<?> kind, ResourceKey key) {
        return connection.readObject(Request.get(Paths.of(kind, key)));
    }

    /** Returns the metadata of the resource; empty when the resource does not exist. */
    Optional<ObjectNode> metadata(Kind<?> kind, ResourceKey key) {
        try {
            return Optional.of(
                    connection.readObject(Request.get(Paths.of(kind, key)).accepting(METADATA)));
        } catch (ApiException e) {
            if (e.reason() == ErrorReason.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Iterates over the metadata of resources, page by page, at one revision.
     *
     * @param labels a selector, empty for all
     */
    void forEach(Kind<?> kind, String namespace, String labels, Consumer<JsonNode> sink) {
        String token = "";
        do {
            ObjectNode page =
                    connection.readObject(
                            Request.get(Paths.of(kind, namespace))
                                    .accepting(METADATA_LIST)
                                    .with("labelSelector", labels)
                                    .with("limit", PAGE)
                                    .with("continue", token));
            page.path("items").forEach(sink);
            token = page.at("/metadata/continue").asString("");
        } while (!token.isEmpty());
    }

    /**
     * @param options delete options with the preconditions
     */
    void delete(Kind<?> kind, ResourceKey key, ObjectNode options) {
        connection.read(
                Request.of("DELETE", Paths.of(kind, key), Json.MAPPER.writeValueAsBytes(options)));
    }
}
