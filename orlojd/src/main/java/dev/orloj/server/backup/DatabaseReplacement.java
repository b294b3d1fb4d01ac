package dev.orloj.server.backup;

import dev.orloj.api.backup.BackupHeader;
import dev.orloj.api.codec.KindDescriptor.Shard;
import dev.orloj.server.audit.RestoreEvent;
import dev.orloj.server.store.audit.AuditTable;
import dev.orloj.server.store.table.Shards;
import dev.orloj.server.store.table.StoreSettings;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Replaces the contents of the database by those of the staging schema, in one transaction: a
 * reader sees either.
 *
 * <p>Every resource gets a new resourceVersion, above all that were ever given out in either
 * database, and the log of changes begins anew after them: a watch of before expires (410) and
 * lists again, and no update can meet a version that means another state.
 */
final class DatabaseReplacement {

    /** Their rows are added to what is there, so that tokens that were just issued stay valid. */
    private static final List<String> ADDED_TO = List.of("signing_key", RestoredKeys.TABLE);

    /**
     * The tables that a writer locks before others, in this order: it would end in a deadlock with
     * a restore that has locked the others already.
     */
    private static final List<String> LOCKED_FIRST =
            List.of(
                    StoredTables.RESOURCE,
                    "tool_ledger",
                    "resource_count",
                    "revision_counter",
                    "audit_head",
                    "signing_key",
                    "tool_call");

    private static final String BASE = "SELECT greatest(max(rev), ?) FROM revision_counter";

    private static final String HEAD =
            "SELECT greatest(max(resource_version), ?) + 1 FROM resource";

    /** Lists go by the kind, so the order here is only to be the same each time. */
    private static final String RESOURCES =
            """
            INSERT INTO resource (%1$s)
            SELECT %2$s FROM (
              SELECT *, %3$d + row_number() OVER (ORDER BY resource_version, kind, namespace, name)
                        AS new_version
                FROM %4$s.resource WHERE NOT %5$s) AS restored
            ON CONFLICT DO NOTHING
            """;

    private static final String COUNT =
            """
            INSERT INTO resource_count (kind, namespace, total)
            SELECT kind, namespace, count(*) FROM resource GROUP BY kind, namespace
            """;

    private static final String ADVANCE =
            "UPDATE revision_counter SET rev = %1$d, compacted = %1$d WHERE shard = '%2$s'";

    private static final String EXTEND = "SELECT extend_change_log('%s', %d, %d)";

    private final WholeDatabase database;
    private final BackupHeader header;
    private final RestoreEvent event;

    DatabaseReplacement(WholeDatabase database, BackupHeader header, RestoreEvent event) {
        this.database = database;
        this.header = header;
        this.event = event;
    }

    /** Locks what is replaced: writers wait, readers do not. */
    void lock() throws SQLException {
        Set<String> tables = new LinkedHashSet<>(LOCKED_FIRST);
        StoredTables.of(database.jdbc()).forEach(table -> tables.add(table.name()));
        database.execute("SET LOCAL lock_timeout = '30s'");
        for (String table : tables) {
            database.execute("LOCK TABLE \"%s\" IN EXCLUSIVE MODE".formatted(table));
        }
        database.execute("SET LOCAL lock_timeout = 0");
    }

    /** Returns the number of rows of each table, and the new resourceVersion of the whole. */
    Result run() throws SQLException {
        List<BackupHeader.Table> tables = StoredTables.of(database.jdbc());
        AuditTable.Head replaced = AuditTable.head(database.jdbc());
        for (BackupHeader.Table table : tables.reversed()) {
            if (!ADDED_TO.contains(table.name())) {
                database.update(
                        "DELETE FROM \"%s\"%s"
                                .formatted(
                                        table.name(),
                                        table.name().equals(StoredTables.RESOURCE)
                                                ? " WHERE NOT " + StoredTables.OF_REPLICAS
                                                : ""));
            }
        }
        long base = database.jdbc().sql(BASE).param(header.revision()).query(Long.class).single();
        Map<String, Long> rows = new LinkedHashMap<>();
        for (BackupHeader.Table table : tables) {
            rows.put(
                    table.name(),
                    table.name().equals(RestoredKeys.TABLE)
                            ? RestoredKeys.add(database)
                            : database.update(insert(table, base)));
        }
        // In the same transaction, so that no restored log is without it.
        AuditTable.append(database.jdbc(), List.of(event.text(replaced)));
        database.update("DELETE FROM resource_count");
        database.update(COUNT);
        long head = database.jdbc().sql(HEAD).param(base).query(Long.class).single();
        advance(head);
        return new Result(head, rows);
    }

    record Result(long revision, Map<String, Long> rows) {}

    private String insert(BackupHeader.Table table, long base) {
        String columns = StoredTables.columns(table);
        if (table.name().equals(StoredTables.RESOURCE)) {
            return RESOURCES.formatted(
                    columns,
                    columns.replace("\"resource_version\"", "new_version"),
                    base,
                    Staging.SCHEMA,
                    StoredTables.OF_REPLICAS);
        }
        return "INSERT INTO \"%s\" (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM %s.\"%s\"%s"
                .formatted(
                        table.name(),
                        columns,
                        columns,
                        Staging.SCHEMA,
                        table.name(),
                        ADDED_TO.contains(table.name()) ? " ON CONFLICT DO NOTHING" : "");
    }

    /** Leases keep their shard, because they stay as they are. */
    private void advance(long head) throws SQLException {
        long size = StoreSettings.DEFAULTS.changesPerPartition();
        for (Shard shard : Shard.values()) {
            if (shard != Shard.LEASES) {
                String name = Shards.column(shard);
                database.update(ADVANCE.formatted(head, name));
                database.execute(EXTEND.formatted(name, size, 2 * size));
                database.execute("SELECT pg_notify('orloj_change', '%s %d')".formatted(name, head));
            }
        }
    }
}
