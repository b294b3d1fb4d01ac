package dev.orloj.server.backup;

import dev.orloj.api.backup.BackupHeader;
import dev.orloj.api.core.Pod;

import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tables of the database that a backup consists of. A table of a later migration is part of it
 * without a change here.
 */
final class StoredTables {

    /**
     * A condition of the resources that say what replicas do at this moment: leases, and Pods of
     * processes. Those of another time would be untrue. A restore leaves those of its target as
     * they are.
     */
    static final String OF_REPLICAS =
            "(kind = 'leases.coordination.k8s.io' OR kind = 'pods' AND jsonb_exists(labels, '"
                    + Pod.REPLICA_LABEL
                    + "'))";

    static final String RESOURCE = "resource";

    /**
     * Not part of a backup: the history of the schema, the log of changes, whose watches have to
     * begin again, and what is computed from other tables.
     */
    private static final List<String> LEFT_OUT =
            List.of(
                    "flyway_schema_history",
                    "revision_counter",
                    "resource_change",
                    "change_partition",
                    "resource_count");

    private static final String COLUMNS =
            """
            SELECT c.relname AS name, a.attname AS of_table
              FROM pg_class c
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
                   AND NOT a.attisdropped AND a.attgenerated = ''
             WHERE c.relnamespace = current_schema()::regnamespace
               AND c.relkind = 'r' AND NOT c.relispartition AND c.relname <> ALL (?)
             ORDER BY c.relname, a.attnum
            """;

    private static final String REFERENCES =
            """
            SELECT t.relname AS name, o.relname AS of_table
              FROM pg_constraint f
              JOIN pg_class t ON t.oid = f.conrelid
              JOIN pg_class o ON o.oid = f.confrelid
             WHERE f.contype = 'f' AND f.conrelid <> f.confrelid
               AND t.relnamespace = current_schema()::regnamespace
            """;

    private record Pair(String name, String ofTable) {}

    private StoredTables() {}

    /** Returns the tables, each after those that it refers to. */
    static List<BackupHeader.Table> of(JdbcClient jdbc) {
        Map<String, List<String>> columns =
                jdbc
                        .sql(COLUMNS)
                        .param(LEFT_OUT.toArray(String[]::new))
                        .query((row, _) -> new Pair(row.getString(1), row.getString(2)))
                        .list()
                        .stream()
                        .collect(
                                Collectors.groupingBy(
                                        Pair::name,
                                        LinkedHashMap::new,
                                        Collectors.mapping(Pair::ofTable, Collectors.toList())));
        Map<String, Set<String>> references =
                jdbc
                        .sql(REFERENCES)
                        .query((row, _) -> new Pair(row.getString(1), row.getString(2)))
                        .list()
                        .stream()
                        .collect(
                                Collectors.groupingBy(
                                        Pair::name,
                                        Collectors.mapping(Pair::ofTable, Collectors.toSet())));
        return ordered(columns, references);
    }

    static List<BackupHeader.Table> ordered(
            Map<String, List<String>> columns, Map<String, Set<String>> references) {
        List<BackupHeader.Table> ordered = new ArrayList<>();
        Map<String, List<String>> left = new LinkedHashMap<>(columns);
        while (!left.isEmpty()) {
            String next =
                    left.keySet().stream()
                            .filter(
                                    name ->
                                            references.getOrDefault(name, Set.of()).stream()
                                                    .noneMatch(left::containsKey))
                            .findFirst()
                            .orElseThrow(
                                    () ->
                                            new IllegalStateException(
                                                    "tables refer to each other: "
                                                            + left.keySet()));
            List<String> names = Objects.requireNonNull(left.remove(next));
            ordered.add(new BackupHeader.Table(next, names));
        }
        return ordered;
    }

    /** Returns the columns for a statement. The names have been checked. */
    static String columns(BackupHeader.Table table) {
        return table.columns().stream()
                .map(column -> '"' + column + '"')
                .collect(Collectors.joining(", "));
    }

    /** Returns the query of the rows that a backup has. */
    static String rows(BackupHeader.Table table) {
        String query = "SELECT %s FROM \"%s\"".formatted(columns(table), table.name());
        return table.name().equals(RESOURCE) ? query + " WHERE NOT " + OF_REPLICAS : query;
    }
}
