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

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The requests that an apply consists of. Safe for many threads. */
final class ApplyClient {

    private static final String APPLY_PATCH = "application/apply-patch+yaml";
    private static final String JSON_PATCH = "application/json-patch+json";

    private final ApiConnection connection;

    ApplyClient(ApiConnection connection) {
        this.connection = connection;
    }

    /**
     * @throws ApiException (Conflict) when other managers own what would change
     */
    Applied apply(Intent intent, ApplyOptions options) {
        // Every document of JSON is one of YAML.
        byte[] body = Json.MAPPER.writeValueAsBytes(intent.body());
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
                object(reply.body()),
                reply.warnings());
    }

    /**
     * Says who owns what of a resource, if it still has the version.
     *
     * @throws ApiException (Conflict) when it has not
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
        return object(connection.read(Request.get(Paths.of(kind, key))));
    }

    private ObjectNode object(byte[] body) {
        try {
            if (Json.MAPPER.readTree(body) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException e) {
            // said below
        }
        throw new ApiException(
                ErrorReason.INTERNAL_ERROR,
                "the server at %s did not answer with a JSON object"
                        .formatted(connection.server()));
    }
}
