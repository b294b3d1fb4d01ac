package dev.orloj.server.rest.ledger;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.server.authentication.AuthenticationGuard;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.registry.Part;
import dev.orloj.server.registry.Patch;
import dev.orloj.server.registry.ResourceRegistry;
import dev.orloj.server.rest.http.HttpExchange;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.request.ApiPath;
import dev.orloj.server.rest.request.WriteParameters;
import dev.orloj.server.store.ledger.LedgerApprovals;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Serves the definitions that a server offers and that are not served, and takes decisions about
 * them. The controller acts on a decision when it sees the annotation that follows it.
 */
@RestController
class ApprovalEndpoint {

    private static final String APPROVAL =
            "/apis/orloj.dev/v1/namespaces/{namespace}/mcpservers/{name}/approval";

    private static final int MAX_DECISIONS = 1_000;

    private final ResourceRegistry registry;
    private final LedgerApprovals approvals;
    private final InstantSource clock;

    ApprovalEndpoint(ResourceRegistry registry, LedgerApprovals approvals, InstantSource clock) {
        this.registry = registry;
        this.approvals = approvals;
        this.clock = clock;
    }

    @GetMapping(APPROVAL)
    void list(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ResourceKey server = server(request);
        registry.get(McpServer.DESCRIPTOR, server);
        Responses.json(response, 200, held(server));
    }

    @PostMapping(APPROVAL)
    void decide(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpExchange exchange = HttpExchange.of(request, response);
        MediaTypes.requireJson(exchange.accepted());
        ResourceKey server = server(request);
        registry.get(McpServer.DESCRIPTOR, server);
        List<LedgerApprovals.Verdict> verdicts = verdicts(exchange.body().document().root());
        UserInfo user = AuthenticationGuard.authenticated(request).orElse(UserInfo.ANONYMOUS);
        approvals.decide(server, verdicts, user.username());
        registry.patch(
                McpServer.DESCRIPTOR,
                server,
                Part.RESOURCE,
                new Patch.Merge(new Document(reviewed(), List.of(), Map.of())),
                WriteParameters.of(exchange));
        Responses.json(response, 200, held(server));
    }

    private static ResourceKey server(HttpServletRequest request) {
        return ApiPath.of(request)
                .map(path -> new ResourceKey(path.namespace(), path.name()))
                .orElseThrow();
    }

    private ObjectNode reviewed() {
        ObjectNode change = Json.MAPPER.createObjectNode();
        change.withObject("/metadata/annotations")
                .put(McpServer.TOOLS_REVIEWED_AT, clock.instant().toString());
        return change;
    }

    private static List<LedgerApprovals.Verdict> verdicts(JsonNode body) {
        JsonNode decisions = body.path("decisions");
        if (!decisions.isArray() || decisions.isEmpty() || decisions.size() > MAX_DECISIONS) {
            throw ApiException.badRequest(
                    "decisions: give 1 to %d objects with tool, digest and decision"
                            .formatted(MAX_DECISIONS));
        }
        List<LedgerApprovals.Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < decisions.size(); i++) {
            verdicts.add(verdict("decisions[%d]".formatted(i), decisions.path(i)));
        }
        return verdicts;
    }

    private static LedgerApprovals.Verdict verdict(String place, JsonNode decision) {
        String tool = decision.path("tool").asString("");
        String digest = decision.path("digest").asString("");
        if (tool.isEmpty() || !digest.matches("sha256:[0-9a-f]{64}")) {
            throw ApiException.badRequest(
                    "%s: give the name of a tool, and its digest, such as sha256:0123..., as GET of the same path lists them"
                            .formatted(place));
        }
        DefinitionName name = DefinitionName.parse(tool);
        return switch (decision.path("decision").asString("")) {
            case "Approved" -> new LedgerApprovals.Verdict(name, digest, true);
            case "Rejected" -> new LedgerApprovals.Verdict(name, digest, false);
            default ->
                    throw ApiException.badRequest(
                            "%s.decision: Approved or Rejected, not %s"
                                    .formatted(place, decision.path("decision")));
        };
    }

    private ObjectNode held(ResourceKey server) {
        ObjectNode list = Json.MAPPER.createObjectNode();
        list.put("kind", "ToolApproval").put("apiVersion", McpServer.KIND.apiVersion());
        list.putObject("metadata").put("namespace", server.namespace()).put("name", server.name());
        ArrayNode held = list.putArray("held");
        for (LedgerApprovals.Pending pending : approvals.pending(server)) {
            ObjectNode item = held.addObject();
            item.put("tool", pending.held().name().text());
            item.put("digest", pending.held().digest());
            item.put("action", pending.held().action().wireName());
            item.put("reason", pending.held().reason());
            item.put("rejected", pending.rejected());
            item.put("servedAsBefore", pending.held().serves());
            item.put("since", pending.since().truncatedTo(ChronoUnit.SECONDS).toString());
            item.set("definition", pending.held().definition());
        }
        return list;
    }
}
