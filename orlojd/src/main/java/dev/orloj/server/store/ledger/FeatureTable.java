package dev.orloj.server.store.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.codec.Json;
import dev.orloj.server.store.table.StorableText;

import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.node.ObjectNode;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rows of the prompts, resource templates and resources that are served. */
final class FeatureTable {

    /** One row. */
    record Served(String digest, ObjectNode definition) {}

    private static final String FIND =
            """
            SELECT name, digest, document FROM served_definition
             WHERE namespace = ? AND server = ?\
            """;

    private static final String DIGESTS =
            """
            SELECT name, digest FROM served_definition
             WHERE namespace = ? AND server = ? ORDER BY name
            """;

    private static final String PUT =
            """
            INSERT INTO served_definition (namespace, server, name, digest, document)
            SELECT ?, ?, d.* FROM unnest(?::text[], ?::text[], ?::text[]) AS d
                ON CONFLICT (namespace, server, name) DO UPDATE
               SET digest = excluded.digest, document = excluded.document
            """;

    private static final String REMOVE =
            "DELETE FROM served_definition WHERE namespace = ? AND server = ? AND name = ANY (?)";

    private static final String IS_RECORDED =
            """
            SELECT features_at IS NOT NULL FROM tool_ledger
             WHERE namespace = ? AND server = ?
            """;

    private static final String RECORDED =
            """
            UPDATE tool_ledger SET features_at = ?
             WHERE namespace = ? AND server = ? AND features_at IS NULL
            """;

    private final JdbcClient jdbc;

    FeatureTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Map<DefinitionName, Served> find(ResourceKey server) {
        return rows(jdbc.sql(FIND).param(server.namespace()).param(server.name()));
    }

    /** Returns those of a name, or of a kind. */
    Map<DefinitionName, Served> find(ResourceKey server, DefinitionNames names) {
        return rows(
                jdbc.sql(FIND + DefinitionNames.CONDITION)
                        .param(server.namespace())
                        .param(server.name())
                        .param(names.keys())
                        .param(names.prefixes()));
    }

    private static Map<DefinitionName, Served> rows(JdbcClient.StatementSpec statement) {
        Map<DefinitionName, Served> served = new TreeMap<>();
        statement.query(
                row -> {
                    served.put(
                            DefinitionName.parse(row.getString(1)),
                            new Served(
                                    row.getString(2),
                                    (ObjectNode) Json.MAPPER.readTree(row.getString(3))));
                });
        return served;
    }

    /** Returns the digests by the texts of the names. */
    Map<String, String> digests(ResourceKey server) {
        Map<String, String> digests = new TreeMap<>();
        jdbc.sql(DIGESTS)
                .param(server.namespace())
                .param(server.name())
                .query(
                        row -> {
                            digests.put(row.getString(1), row.getString(2));
                        });
        return digests;
    }

    void put(ResourceKey server, Map<DefinitionName, Served> served) {
        if (served.isEmpty()) {
            return;
        }
        List<Map.Entry<DefinitionName, Served>> rows = List.copyOf(served.entrySet());
        jdbc.sql(PUT)
                .param(server.namespace())
                .param(server.name())
                .param(rows.stream().map(row -> key(row.getKey())).toArray(String[]::new))
                .param(rows.stream().map(row -> row.getValue().digest()).toArray(String[]::new))
                .param(
                        rows.stream()
                                .map(row -> StorableText.ofJson(row.getValue().definition()))
                                .toArray(String[]::new))
                .update();
    }

    void remove(ResourceKey server, Collection<DefinitionName> names) {
        if (!names.isEmpty()) {
            jdbc.sql(REMOVE)
                    .param(server.namespace())
                    .param(server.name())
                    .param(names.stream().map(FeatureTable::key).toArray(String[]::new))
                    .update();
        }
    }

    /** Returns the name of a row. */
    static String key(DefinitionName name) {
        return StorableText.ofKey(name.text());
    }

    /** Returns whether prompts and resources of the server were recorded before. */
    boolean isRecorded(ResourceKey server) {
        return jdbc.sql(IS_RECORDED)
                .param(server.namespace())
                .param(server.name())
                .query(Boolean.class)
                .optional()
                .orElse(false);
    }

    /** Notes that they were recorded, in the ledger of the server, which is locked. */
    void setRecorded(ResourceKey server, Instant now) {
        jdbc.sql(RECORDED)
                .param(Timestamp.from(now))
                .param(server.namespace())
                .param(server.name())
                .update();
    }
}
