package dev.orloj.server.store.change;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.server.store.table.DocumentCodec;
import dev.orloj.server.store.table.ResourceTable;
import dev.orloj.server.store.table.Shards;

import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The log of all changes, ordered by revision, which is the order of their commits. */
public final class ChangeLog {

    private static final String BOUNDS =
            "SELECT rev, compacted FROM revision_counter WHERE shard = ?";

    private static final String NEWEST =
            """
            SELECT coalesce(
                    (SELECT max(rev) FROM resource_change WHERE shard = ? AND kind = ?),
                    (SELECT compacted FROM revision_counter WHERE shard = ?))
            """;

    /** One statement, hence one snapshot: see {@link ResourceLists}. */
    private static final String READ =
            """
            SELECT c.rev, c.compacted,
                   l.rev, l.kind, l.namespace, l.name, l.type, l.object, l.prev
              FROM revision_counter c
              LEFT JOIN LATERAL (
                    SELECT * FROM resource_change
                     WHERE shard = ?%s AND rev > ?
                     ORDER BY rev
                     LIMIT ?) l ON true
             WHERE c.shard = ?
             ORDER BY l.rev
            """;

    private static final String READ_ALL = READ.formatted("");
    private static final String READ_KIND = READ.formatted(" AND kind = ?");

    /**
     * The bounds of the log.
     *
     * @param head the newest revision
     * @param compacted changes up to this one have been removed
     */
    public record Bounds(long head, long compacted) {

        /**
         * @throws ApiException (Expired) when the changes after {@code revision} are not all known
         */
        public void check(long revision) {
            if (revision < compacted) {
                throw ApiException.expired(
                        "too old resource version: %d (%d)".formatted(revision, compacted));
            }
            if (revision > head) {
                throw ApiException.expired(
                        "resource version %d is newer than the store (%d), which was restored to an earlier state: list again"
                                .formatted(revision, head));
            }
        }
    }

    /**
     * Changes after a revision.
     *
     * @param bounds of the log in the same snapshot
     * @param next the revision up to which all changes are known now
     */
    record Page(Bounds bounds, List<Change> changes, long next) {}

    private final JdbcClient jdbc;

    public ChangeLog(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public Bounds bounds(KindDescriptor.Shard shard) {
        return jdbc.sql(BOUNDS)
                .param(Shards.column(shard))
                .query((result, number) -> new Bounds(result.getLong(1), result.getLong(2)))
                .single();
    }

    /**
     * The revision of the newest change of a kind. When the log has none, the revision up to which
     * changes were removed: the newest is not after it.
     */
    public long newest(KindDescriptor<?> kind) {
        String name = Shards.column(kind.shard());
        return jdbc.sql(NEWEST)
                .params(name, ResourceTable.column(kind), name)
                .query((result, number) -> result.getLong(1))
                .single();
    }

    /** At most {@code limit} changes of all kinds. */
    Page read(KindDescriptor.Shard shard, long after, int limit) {
        String name = Shards.column(shard);
        return query(READ_ALL, List.of(name, after, limit, name), after, limit);
    }

    /** At most {@code limit} changes of one kind. */
    Page readKind(KindDescriptor<?> kind, long after, int limit) {
        String name = Shards.column(kind.shard());
        return query(
                READ_KIND,
                List.of(name, ResourceTable.column(kind), after, limit, name),
                after,
                limit);
    }

    private Page query(String sql, List<Object> parameters, long after, int limit) {
        ResultSetExtractor<Page> page = result -> page(result, after, limit);
        return jdbc.sql(sql).params(parameters).query(page);
    }

    private static Page page(ResultSet result, long after, int limit) throws SQLException {
        List<Change> changes = new ArrayList<>();
        Bounds bounds = new Bounds(0, 0);
        while (result.next()) {
            bounds = new Bounds(result.getLong(1), result.getLong(2));
            if (result.getString(4) != null) {
                changes.add(change(result));
            }
        }
        long next =
                changes.size() < limit
                        ? Math.max(after, bounds.head())
                        : changes.getLast().revision();
        return new Page(bounds, List.copyOf(changes), next);
    }

    private static Change change(ResultSet result) throws SQLException {
        long revision = result.getLong(3);
        String object = result.getString(8);
        String before = result.getString(9);
        return new Change(
                revision,
                result.getString(4),
                new ResourceKey(result.getString(5), result.getString(6)),
                Change.Type.ofColumn(result.getString(7)),
                DocumentCodec.parse(revision, object),
                before,
                object.length() + (before == null ? 0 : before.length()));
    }
}
