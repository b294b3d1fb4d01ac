package dev.orloj.cli.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.ServerDescription;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.http.ResourceSelection;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The definitions that a server offers and that are not served.
 *
 * @param document as the server lists it
 */
record Approvals(ObjectNode document) {

    /** One of them. */
    record Held(
            String tool,
            String digest,
            String action,
            String reason,
            boolean rejected,
            boolean servedAsBefore,
            String since) {

        /** Returns whether a user has to decide. */
        boolean waits() {
            return action.equals("quarantine");
        }

        private static Held of(JsonNode item) {
            return new Held(
                    item.path("tool").asString(""),
                    item.path("digest").asString(""),
                    item.path("action").asString(""),
                    item.path("reason").asString(""),
                    item.path("rejected").asBoolean(),
                    item.path("servedAsBefore").asBoolean(),
                    item.path("since").asString(""));
        }
    }

    static Approvals read(Context context, ResourceKey server) {
        return new Approvals(context.connection().readObject(Request.get(path(server))));
    }

    private static String path(ResourceKey server) {
        return Paths.of(McpServer.KIND, server) + "/approval";
    }

    List<Held> held() {
        List<Held> held = new ArrayList<>();
        document.path("held").forEach(item -> held.add(Held.of(item)));
        return held;
    }

    /**
     * Sends decisions.
     *
     * @param digests by the texts of names
     * @param decision Approved or Rejected
     */
    static void decide(
            Context context, ResourceKey server, Map<String, String> digests, String decision) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        ArrayNode decisions = body.putArray("decisions");
        digests.forEach(
                (tool, digest) ->
                        decisions
                                .addObject()
                                .put("tool", tool)
                                .put("digest", digest)
                                .put("decision", decision));
        context.connection()
                .readObject(Request.of("POST", path(server), Json.MAPPER.writeValueAsBytes(body)));
    }

    /** Returns the digests of the definitions that are served, by the texts of their names. */
    static Map<String, String> served(Context context, ResourceKey server) {
        Map<String, String> served = new TreeMap<>();
        ResourceSelection own =
                new ResourceSelection(
                        Tool.KIND, server.namespace(), Tool.SERVER_LABEL + "=" + server.name(), "");
        for (ObjectNode document : context.documents().list(own).items()) {
            GeneratedTool.of(document)
                    .ifPresent(
                            tool ->
                                    served.put(
                                            DefinitionName.tool(tool.tool()).text(),
                                            CanonicalJson.digest(tool.definition())));
        }
        ServerDescription description =
                ServerDescription.ofStatus(
                        context.documents()
                                .find(McpServer.KIND, server)
                                .map(document -> document.path("status"))
                                .orElseGet(Json.MAPPER::missingNode));
        for (DefinitionName name : ServerDescription.NAMES) {
            description
                    .definition(name)
                    .ifPresent(stated -> served.put(name.text(), CanonicalJson.digest(stated)));
        }
        served.putAll(Ledger.served(Ledger.page(context, server, "")));
        return served;
    }
}
