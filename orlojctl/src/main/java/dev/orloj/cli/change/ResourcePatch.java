package dev.orloj.cli.change;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Reply;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A change of one resource.
 *
 * @param done what the output says of it, such as {@code labeled}
 * @param subresource empty for the resource itself
 */
record ResourcePatch(String contentType, JsonNode body, String done, String subresource) {

    static final String MERGE = "application/merge-patch+json";
    static final String JSON = "application/json-patch+json";
    static final String STRATEGIC = "application/strategic-merge-patch+json";

    static ResourcePatch merge(ObjectNode body, String done) {
        return new ResourcePatch(MERGE, body, done, "");
    }

    /** Sends the patch and returns the resource after it. */
    ObjectNode send(Context context, Targets.Named target, boolean isDry, String manager) {
        String path = Paths.of(target.kind(), target.key(context.namespace()));
        Reply reply =
                context.connection()
                        .patch(
                                Request.of(
                                                "PATCH",
                                                path
                                                        + (subresource.isEmpty() ? "" : "/")
                                                        + subresource,
                                                Json.MAPPER.writeValueAsBytes(body))
                                        .withHeader("Content-Type", contentType)
                                        .with("fieldManager", manager)
                                        .with("fieldValidation", "Strict")
                                        .with("dryRun", isDry ? "All" : ""));
        reply.warnings().forEach(warning -> context.err().println("Warning: " + warning));
        return (ObjectNode) Json.MAPPER.readTree(reply.body());
    }
}
