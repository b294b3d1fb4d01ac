package dev.orloj.server.rest.ledger;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.Status;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.v1.McpServer;
import dev.orloj.server.registry.ResourceRegistry;
import dev.orloj.server.rest.http.QueryParameters;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.request.ApiPath;
import dev.orloj.server.store.ledger.LedgerReading;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Serves the entries of a ledger, oldest first, and the contents that they name. The first page has
 * the digests of the prompts, resource templates and resources that are served now, which are the
 * fold of the ledger. The ledger of a server that was deleted is served, too.
 */
@RestController
class LedgerEndpoint {

    private static final String LEDGER =
            "/apis/orloj.dev/v1/namespaces/{namespace}/mcpservers/{name}/ledger";

    private static final int USUAL_PAGE = 500;
    private static final int LARGEST_PAGE = 1_000;

    private final ResourceRegistry registry;
    private final LedgerReading ledgers;

    LedgerEndpoint(ResourceRegistry registry, LedgerReading ledgers) {
        this.registry = registry;
        this.ledgers = ledgers;
    }

    @GetMapping(LEDGER)
    void entries(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ResourceKey server = server(request);
        QueryParameters query = QueryParameters.parse(request.getQueryString());
        int limit = query.number("limit").orElse(USUAL_PAGE);
        limit = limit < 1 ? USUAL_PAGE : Math.min(limit, LARGEST_PAGE);
        Optional<LedgerReading.Page> page = ledgers.page(server, after(query), limit);
        if (page.isEmpty()) {
            registry.get(McpServer.DESCRIPTOR, server);
        }
        ObjectNode list = list(server, page, limit);
        if (after(query) == 0) {
            Map<String, String> served = ledgers.features(server);
            if (!served.isEmpty()) {
                served.forEach(list.putObject("served")::put);
            }
        }
        Responses.json(response, 200, list);
    }

    @GetMapping(LEDGER + "/contents/{id}")
    void content(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ResourceKey server = server(request);
        String digest = ApiPath.of(request).orElseThrow().rest().getLast();
        Responses.json(
                response,
                200,
                ledgers.content(server, digest)
                        .orElseThrow(
                                () ->
                                        new ApiException(
                                                ErrorReason.NOT_FOUND,
                                                "the ledger of mcpserver \"%s\" has no content \"%s\": digests are in its entries, and old contents are removed"
                                                        .formatted(server.name(), digest),
                                                Status.Details.of(
                                                        McpServer.KIND.group(),
                                                        McpServer.KIND.plural(),
                                                        server.name()))));
    }

    private static ResourceKey server(HttpServletRequest request) {
        return ApiPath.of(request)
                .map(path -> new ResourceKey(path.namespace(), path.name()))
                .orElseThrow();
    }

    private static long after(QueryParameters query) {
        String text = query.text("continue");
        if (text.isEmpty()) {
            return 0;
        }
        if (!text.matches("[0-9]{1,18}")) {
            throw ApiException.badRequest(
                    "query parameter \"continue\" is \"%s\": give metadata.continue of the page before"
                            .formatted(text));
        }
        return Long.parseLong(text);
    }

    private static ObjectNode list(
            ResourceKey server, Optional<LedgerReading.Page> page, int limit) {
        ObjectNode list = Json.MAPPER.createObjectNode();
        list.put("kind", "ToolLedger").put("apiVersion", McpServer.KIND.apiVersion());
        ObjectNode metadata = list.putObject("metadata");
        metadata.put("namespace", server.namespace()).put("name", server.name());
        ObjectNode head = list.putObject("head");
        head.put("sequence", page.map(LedgerReading.Page::sequence).orElse(0L));
        head.put("hash", page.map(LedgerReading.Page::hash).orElse(""));
        Optional<JsonNode> base = page.flatMap(LedgerReading.Page::base);
        base.ifPresent(state -> list.set("base", state));
        ArrayNode entries = list.putArray("entries");
        page.ifPresent(
                p -> {
                    p.entries().stream().map(LedgerEntry::toJson).forEach(entries::add);
                    long last = p.entries().isEmpty() ? 0 : p.entries().getLast().sequence();
                    if (p.entries().size() == limit && last < p.sequence()) {
                        metadata.put("continue", Long.toString(last));
                    }
                });
        return list;
    }
}
