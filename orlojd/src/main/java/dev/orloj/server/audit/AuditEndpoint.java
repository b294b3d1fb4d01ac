package dev.orloj.server.audit;

import dev.orloj.api.audit.AuditCheckpoint;
import dev.orloj.api.audit.AuditRecord;
import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.http.HttpExchange;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.QueryParameters;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.store.audit.AuditSelection;
import dev.orloj.server.store.audit.AuditTable;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.List;

/** Lists the audit log, exports it as it is chained, and signs where it has come to. */
@RestController
class AuditEndpoint {

    private static final String PATH = "/apis/orloj.dev/v1/auditevents";
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;
    private static final String LINES = "application/jsonl";

    private final AuditTable table;
    private final CheckpointKey key;
    private final InstantSource clock;

    AuditEndpoint(AuditTable table, CheckpointKey key, InstantSource clock) {
        this.table = table;
        this.key = key;
        this.clock = clock;
    }

    /** The newest first. */
    @GetMapping(PATH)
    void list(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpExchange exchange = HttpExchange.of(request, response);
        QueryParameters query = exchange.query();
        int limit = limit(query, DEFAULT_LIMIT);
        AuditSelection selection = new AuditSelection(sequence(query, "continue"), limit);
        selection.with("username", query.text("user")).with("verb", query.text("verb"));
        selection.with("resource", query.text("resource")).with("name", query.text("name"));
        selection.with("namespace", query.text("namespace"));
        if (query.has("since")) {
            selection.since(since(query.text("since")));
        }
        List<AuditTable.Listed> found = table.list(selection);
        ObjectNode list = Json.MAPPER.createObjectNode();
        list.put("kind", "EventList").put("apiVersion", "audit.k8s.io/v1");
        ObjectNode metadata = list.putObject("metadata");
        if (found.size() == limit) {
            metadata.put("continue", Long.toString(found.getLast().sequence()));
        }
        ArrayNode items = list.putArray("items");
        found.forEach(each -> items.add(Json.MAPPER.readTree(each.event())));
        Responses.largeJson(exchange, list);
    }

    /**
     * The records after a sequence, one a line, in the order of the chain. The first page begins
     * with the checkpoint that stands for records that were deleted.
     */
    @GetMapping(PATH + "/export")
    void export(HttpServletRequest request, HttpServletResponse response) throws IOException {
        QueryParameters query = HttpExchange.of(request, response).query();
        long after = query.has("after") ? sequence(query, "after") : 0;
        AuditTable.Page page = table.after(after, limit(query, MAX_LIMIT));
        StringBuilder lines = new StringBuilder();
        if (after == 0) {
            page.head().start().ifPresent(start -> lines.append(start.toJson()).append('\n'));
        }
        for (AuditRecord record : page.records()) {
            lines.append(record.line()).append('\n');
        }
        Responses.bytes(response, 200, LINES, lines.toString().getBytes(StandardCharsets.UTF_8));
    }

    @GetMapping(PATH + "/checkpoint")
    void checkpoint(HttpServletRequest request, HttpServletResponse response) throws IOException {
        MediaTypes.requireJson(MediaTypes.accepted(request.getHeader("Accept")));
        AuditTable.Head head = table.head();
        AuditCheckpoint signed = key.sign(head.sequence(), head.hash(), clock.instant());
        Responses.json(response, 200, signed.toJson());
    }

    private static int limit(QueryParameters query, int usual) {
        int limit = query.number("limit").orElse(usual);
        return limit == 0 ? usual : Math.min(limit, MAX_LIMIT);
    }

    private static long sequence(QueryParameters query, String name) {
        String text = query.text(name);
        if (text.isEmpty()) {
            return Long.MAX_VALUE;
        }
        if (!text.matches("[0-9]{1,18}")) {
            throw QueryParameters.invalid(name, text, "must be the sequence of an event");
        }
        return Long.parseLong(text);
    }

    private static Instant since(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw QueryParameters.invalid(
                    "since", text, "must be a time such as 2026-01-31T12:00:00Z");
        }
    }
}
