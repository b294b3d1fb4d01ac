package dev.orloj.server.store.table;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.KindDescriptor;

import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The present state of resources: reads by key, locks and conditional writes. */
public final class ResourceTable {

    private static final String FIND =
            """
            SELECT namespace, name, resource_version, document FROM resource
             WHERE kind = ? AND namespace = ? AND name = ?
            """;

    private static final String LOCK = FIND + " FOR NO KEY UPDATE";

    private static final String LOCK_ALL =
            """
            SELECT r.namespace, r.name, r.resource_version, r.document
              FROM resource r
              JOIN unnest(?::text[], ?::text[]) AS wanted (namespace, name)
                ON r.namespace = wanted.namespace AND r.name = wanted.name
             WHERE r.kind = ?
             ORDER BY r.namespace, r.name
               FOR NO KEY UPDATE OF r
            """;

    private static final String WRITE = "SELECT write_resources(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    /** A row with its document as text. */
    public record Row(ResourceKey key, long version, String json) {}

    /**
     * A write of one row.
     *
     * @param kind plural and group
     * @param expected the version that the row must have; 0 when there must be none
     */
    public record RowWrite(String kind, StoredDocument row, long expected, boolean removal) {}

    private final JdbcClient jdbc;

    public ResourceTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public Optional<Row> find(KindDescriptor<?> kind, ResourceKey key) {
        return one(FIND, kind, key);
    }

    /** Reads the row and keeps others from writing it until the transaction ends. */
    public Optional<Row> lock(KindDescriptor<?> kind, ResourceKey key) {
        return one(LOCK, kind, key);
    }

    private Optional<Row> one(String sql, KindDescriptor<?> kind, ResourceKey key) {
        return jdbc.sql(sql)
                .param(column(kind))
                .param(StorableText.ofKey(key.namespace()))
                .param(StorableText.ofKey(key.name()))
                .query(ResourceTable::row)
                .optional();
    }

    /** Locks the rows that exist, in the order of their keys as every writer of many does. */
    public List<Row> lockAll(KindDescriptor<?> kind, Collection<ResourceKey> keys) {
        return jdbc.sql(LOCK_ALL)
                .param(texts(keys.stream().map(ResourceKey::namespace).toList()))
                .param(texts(keys.stream().map(ResourceKey::name).toList()))
                .param(column(kind))
                .query(ResourceTable::row)
                .list();
    }

    /**
     * Writes rows, which are in the order of their kinds and keys, in one transaction. Returns the
     * revision of each, empty where the row is not at the expected version.
     */
    public List<OptionalLong> write(KindDescriptor.Shard shard, List<RowWrite> writes) {
        List<StoredDocument> rows = writes.stream().map(RowWrite::row).toList();
        return jdbc.sql(WRITE)
                .param(Shards.column(shard))
                .param(texts(writes.stream().map(RowWrite::kind).toList()))
                .param(texts(rows.stream().map(row -> row.key().namespace()).toList()))
                .param(texts(rows.stream().map(row -> row.key().name()).toList()))
                .param(writes.stream().map(RowWrite::expected).toArray(Long[]::new))
                .param(texts(rows.stream().map(StoredDocument::uid).toList()))
                .param(texts(rows.stream().map(StoredDocument::labels).toList()))
                .param(texts(rows.stream().map(StoredDocument::fields).toList()))
                .param(texts(rows.stream().map(StoredDocument::owners).toList()))
                .param(texts(rows.stream().map(StoredDocument::json).toList()))
                .param(writes.stream().map(RowWrite::removal).toArray(Boolean[]::new))
                .query((result, number) -> revisions(result))
                .single();
    }

    private static List<OptionalLong> revisions(ResultSet result) throws SQLException {
        List<OptionalLong> revisions = new ArrayList<>();
        for (Long revision : (Long[]) result.getArray(1).getArray()) {
            revisions.add(revision == null ? OptionalLong.empty() : OptionalLong.of(revision));
        }
        return revisions;
    }

    public static String column(KindDescriptor<?> kind) {
        return kind.stored().kind().groupResource();
    }

    private static String[] texts(List<String> texts) {
        return texts.toArray(String[]::new);
    }

    private static Row row(ResultSet result, int number) throws SQLException {
        return new Row(
                new ResourceKey(result.getString(1), result.getString(2)),
                result.getLong(3),
                result.getString(4));
    }
}
