package dev.orloj.server.store.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.ServerDescription;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.ledger.LedgerCheckpoint;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.server.store.table.ResourceTable;

import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.JsonNode;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The rows of ledgers. A server is a key here, whether it exists or not. */
final class LedgerTable {

    private static final String CREATE =
            "INSERT INTO tool_ledger (namespace, server) VALUES (?, ?) ON CONFLICT DO NOTHING";

    private static final String HEAD =
            """
            SELECT sequence, hash, summary, due, record, bytes FROM tool_ledger
             WHERE namespace = ? AND server = ?\
            """;

    private static final String HEADS =
            """
            SELECT namespace, server, sequence, hash, at FROM tool_ledger
             WHERE sequence > 0 AND (? = '' OR namespace = ?) ORDER BY namespace, server
            """;

    private static final String MOVE =
            """
            UPDATE tool_ledger
               SET sequence = ?, hash = ?, summary = ?, due = ?, record = ?, bytes = ?, at = ?
             WHERE namespace = ? AND server = ?
            """;

    private static final String APPEND =
            """
            INSERT INTO tool_ledger_entry
                (namespace, server, sequence, entry, hash, content, summary)
            SELECT ?, ?, e.*
              FROM unnest(?::bigint[], ?::text[], ?::text[], ?::text[], ?::boolean[]) AS e
            """;

    private static final String KEEP =
            """
            INSERT INTO tool_ledger_content (namespace, server, digest, sequence, document)
            SELECT ?, ?, c.* FROM unnest(?::text[], ?::bigint[], ?::text[]) AS c
                ON CONFLICT DO NOTHING
            """;

    private static final String ENTRIES =
            """
            SELECT entry, hash FROM tool_ledger_entry
             WHERE namespace = ? AND server = ? AND sequence > ? ORDER BY sequence LIMIT ?
            """;

    private static final String CONTENT =
            """
            SELECT document FROM tool_ledger_content
             WHERE namespace = ? AND server = ? AND digest = ?
            """;

    private static final String TOOLS =
            """
            SELECT document FROM resource
             WHERE kind = ? AND namespace = ? AND labels @> ?::jsonb ORDER BY name
            """;

    private static final String STATUS =
            """
            SELECT coalesce(document -> 'status', '{}'::json) FROM resource
             WHERE kind = ? AND namespace = ? AND name = ?
            """;

    private static final String REMOVE_ABANDONED =
            """
            WITH abandoned AS (
                DELETE FROM tool_ledger l
                 WHERE l.at < ?
                   AND NOT EXISTS (SELECT 1 FROM resource r
                                    WHERE r.kind = ? AND r.namespace = l.namespace
                                      AND r.name = l.server)
                RETURNING namespace, server),
            entries AS (
                DELETE FROM tool_ledger_entry e USING abandoned a
                 WHERE e.namespace = a.namespace AND e.server = a.server),
            contents AS (
                DELETE FROM tool_ledger_content c USING abandoned a
                 WHERE c.namespace = a.namespace AND c.server = a.server),
            approvals AS (
                DELETE FROM tool_approval p USING abandoned a
                 WHERE p.namespace = a.namespace AND p.server = a.server),
            others AS (
                DELETE FROM definition_approval d USING abandoned a
                 WHERE d.namespace = a.namespace AND d.server = a.server),
            served AS (
                DELETE FROM served_definition s USING abandoned a
                 WHERE s.namespace = a.namespace AND s.server = a.server)
            SELECT count(*) FROM abandoned
            """;

    /**
     * The end of a ledger.
     *
     * @param sequence of the newest entry; 0 when there is none
     * @param hash of the newest entry; empty when there is none
     * @param summary sequence of the newest summary; 0 when there is none
     * @param due sequence from which on the next summary is due
     * @param record digest of the record of the server; empty when there is none
     * @param bytes estimated size of the contents that the present state does not need
     */
    record Head(long sequence, String hash, long summary, long due, String record, long bytes) {

        Head withBytes(long corrected) {
            return new Head(sequence, hash, summary, due, record, corrected);
        }
    }

    /**
     * A document.
     *
     * @param sequence of the first entry that has it
     */
    record Content(String digest, long sequence, String document) {

        Content after(long entries) {
            return new Content(digest, entries + sequence, document);
        }
    }

    private final JdbcClient jdbc;

    LedgerTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Creates the ledger if it is new, and keeps others from it until the transaction ends. */
    Head lock(ResourceKey server) {
        jdbc.sql(CREATE).param(server.namespace()).param(server.name()).update();
        return head(HEAD + " FOR UPDATE", server).orElseThrow();
    }

    Optional<Head> head(ResourceKey server) {
        return head(HEAD, server);
    }

    private Optional<Head> head(String sql, ResourceKey server) {
        return jdbc.sql(sql)
                .param(server.namespace())
                .param(server.name())
                .query(
                        (row, _) ->
                                new Head(
                                        row.getLong(1),
                                        row.getString(2),
                                        row.getLong(3),
                                        row.getLong(4),
                                        row.getString(5),
                                        row.getLong(6)))
                .optional();
    }

    /**
     * @param namespace empty for all
     */
    List<LedgerCheckpoint.Head> heads(String namespace) {
        return jdbc.sql(HEADS)
                .param(namespace)
                .param(namespace)
                .query(
                        (row, _) ->
                                new LedgerCheckpoint.Head(
                                        new ResourceKey(row.getString(1), row.getString(2)),
                                        row.getLong(3),
                                        row.getString(4),
                                        row.getTimestamp(5).toInstant().toString()))
                .list();
    }

    void append(
            ResourceKey server,
            List<LedgerEntry> entries,
            List<Content> contents,
            Head head,
            Instant now) {
        if (!contents.isEmpty()) {
            jdbc.sql(KEEP)
                    .param(server.namespace())
                    .param(server.name())
                    .param(contents.stream().map(Content::digest).toArray(String[]::new))
                    .param(contents.stream().map(Content::sequence).toArray(Long[]::new))
                    .param(contents.stream().map(Content::document).toArray(String[]::new))
                    .update();
        }
        jdbc.sql(APPEND)
                .param(server.namespace())
                .param(server.name())
                .param(entries.stream().map(LedgerEntry::sequence).toArray(Long[]::new))
                .param(entries.stream().map(LedgerEntry::canonical).toArray(String[]::new))
                .param(entries.stream().map(LedgerEntry::hash).toArray(String[]::new))
                .param(entries.stream().map(LedgerEntry::content).toArray(String[]::new))
                .param(entries.stream().map(LedgerEntry::isSummary).toArray(Boolean[]::new))
                .update();
        move(server, head, now);
    }

    void move(ResourceKey server, Head head, Instant now) {
        jdbc.sql(MOVE)
                .param(head.sequence())
                .param(head.hash())
                .param(head.summary())
                .param(head.due())
                .param(head.record())
                .param(head.bytes())
                .param(Timestamp.from(now))
                .param(server.namespace())
                .param(server.name())
                .update();
    }

    /** Returns at most {@code limit} entries after one, in their order. */
    List<LedgerEntry> entries(ResourceKey server, long after, int limit) {
        return jdbc.sql(ENTRIES)
                .param(server.namespace())
                .param(server.name())
                .param(after)
                .param(limit)
                .query((row, _) -> LedgerEntry.read(row.getString(1), row.getString(2)))
                .list();
    }

    Optional<JsonNode> content(ResourceKey server, String digest) {
        return jdbc.sql(CONTENT)
                .param(server.namespace())
                .param(server.name())
                .param(digest)
                .query((row, _) -> Json.MAPPER.readTree(row.getString(1)))
                .optional();
    }

    /** Removes the ledgers without a server whose newest entry is older; returns their number. */
    long removeAbandoned(Instant before) {
        return jdbc.sql(REMOVE_ABANDONED)
                .param(Timestamp.from(before))
                .param(ResourceTable.column(McpServer.DESCRIPTOR))
                .query(Long.class)
                .single();
    }

    /** Returns what clients of a server get of its description now. */
    ServerDescription description(ResourceKey server) {
        return jdbc.sql(STATUS)
                .param(ResourceTable.column(McpServer.DESCRIPTOR))
                .param(server.namespace())
                .param(server.name())
                .query(String.class)
                .optional()
                .map(status -> ServerDescription.ofStatus(Json.MAPPER.readTree(status)))
                .orElseGet(() -> ServerDescription.of(null, ""));
    }

    /** Returns the Tools of a server that are stored now. */
    List<GeneratedTool> tools(ResourceKey server) {
        String labels =
                Json.MAPPER
                        .createObjectNode()
                        .put(GeneratedTool.SERVER_LABEL, server.name())
                        .put(GeneratedTool.GENERATED_LABEL, "true")
                        .toString();
        return jdbc
                .sql(TOOLS)
                .param(ResourceTable.column(Tool.DESCRIPTOR))
                .param(server.namespace())
                .param(labels)
                .query((row, _) -> GeneratedTool.of(Json.MAPPER.readTree(row.getString(1))))
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }
}
