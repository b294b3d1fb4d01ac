package dev.orloj.server.store.change;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.server.store.table.ContinueToken;
import dev.orloj.server.store.table.DocumentCodec;
import dev.orloj.server.store.table.DocumentList;
import dev.orloj.server.store.table.ResourceTable;
import dev.orloj.server.store.table.Selection;
import dev.orloj.server.store.table.Shards;
import dev.orloj.server.store.table.StorableText;

import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.node.ObjectNode;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads collections as they were at one revision.
 *
 * <p>Every query is one statement that also reads the revision counter. One statement sees one
 * snapshot, so revision and rows belong together without a transaction. It takes its locks before
 * its snapshot, so no part of the log can vanish between the look at {@code compacted} and the look
 * at the changes.
 */
public final class ResourceLists {

    private static final String PRESENT =
            """
            SELECT c.rev, c.compacted, r.namespace, r.name, r.resource_version, r.document,
                   (SELECT sum(total) FROM resource_count WHERE kind = ? AND ? IN ('', namespace))
              FROM revision_counter c
              LEFT JOIN LATERAL (
                    SELECT namespace, name, resource_version, document FROM resource
                     WHERE kind = ? AND %2$s%1$s
                     ORDER BY namespace, name
                     LIMIT ?) r ON true
             WHERE c.shard = ?
             ORDER BY r.namespace, r.name
            """;

    /**
     * What has not changed since the revision, and the states before what has. Each half has the
     * limit of the whole, or it would be read to its end.
     */
    private static final String PAST =
            """
            SELECT c.rev, c.compacted, r.namespace, r.name, r.resource_version, r.document, 0
              FROM revision_counter c
              LEFT JOIN LATERAL (
                    (SELECT namespace, name, resource_version, document
                       FROM resource
                      WHERE kind = ? AND %2$s AND resource_version <= ?%1$s
                      ORDER BY namespace, name
                      LIMIT ?)
                    UNION ALL
                    (SELECT namespace, name, resource_version, document FROM (
                        SELECT DISTINCT ON (namespace, name)
                               namespace, name, prev_version AS resource_version,
                               prev_labels AS labels, prev_fields AS fields, prev AS document
                          FROM resource_change
                         WHERE shard = ? AND kind = ? AND rev > ? AND %2$s
                         ORDER BY namespace, name, rev) AS earliest
                      WHERE resource_version IS NOT NULL%1$s
                      ORDER BY namespace, name
                      LIMIT ?)
                    ORDER BY namespace, name
                    LIMIT ?) r ON true
             WHERE c.shard = ?
             ORDER BY r.namespace, r.name
            """;

    /** Sorts before every resource, since no name is empty. */
    private static final ResourceKey BEFORE_ALL = new ResourceKey("", "");

    /**
     * @param total how many resources there are, whatever the selectors
     */
    private record Page(long head, long compacted, long total, List<ResourceTable.Row> rows) {}

    private final JdbcClient jdbc;
    private final DocumentCodec codec;

    public ResourceLists(JdbcClient jdbc, DocumentCodec codec) {
        this.jdbc = jdbc;
        this.codec = codec;
    }

    /**
     * @param limit 0 for no limit
     */
    public DocumentList first(Selection selection, int limit) {
        Page page = present(selection, new Selection.Condition("true", List.of()), limit);
        long matching = selection.hasSelectors() ? -1 : page.total();
        return toList(selection, page, page.head(), limit, matching);
    }

    /**
     * The page after the one that made the token.
     *
     * @throws ApiException (Expired) when the log does not reach back to the first page
     */
    public DocumentList next(Selection selection, ContinueToken token, int limit) {
        if (token.revision() == ContinueToken.NOW) {
            Page page = present(selection, behind(selection, token.last()), limit);
            return toList(selection, page, page.head(), limit, -1);
        }
        Page page = past(selection, token.revision(), token.last(), limit);
        if (token.revision() < page.compacted() || token.revision() > page.head()) {
            throw ApiException.expired(
                    "The provided continue parameter is too old to display a consistent list"
                            + " result: list again without it, or go on with metadata.continue of"
                            + " this answer, with what there is now",
                    token.now().encode());
        }
        return toList(selection, page, token.revision(), limit, token.remaining());
    }

    /**
     * The first page of what there was at a revision.
     *
     * @throws ApiException (Expired) when the log does not reach back to it
     */
    public DocumentList at(Selection selection, long revision, int limit) {
        Page page = past(selection, revision, BEFORE_ALL, limit);
        new ChangeLog.Bounds(page.head(), page.compacted()).check(revision);
        return toList(selection, page, revision, limit, -1);
    }

    private Page present(Selection selection, Selection.Condition behind, int limit) {
        Selection.Condition condition = selection.toSql();
        String kind = ResourceTable.column(selection.kind());
        List<Object> parameters =
                new ArrayList<>(List.of(kind, StorableText.ofKey(selection.namespace()), kind));
        parameters.addAll(behind.parameters());
        parameters.addAll(condition.parameters());
        parameters.add(rowLimit(limit));
        parameters.add(Shards.column(selection.kind().shard()));
        return query(PRESENT.formatted(condition.sql(), behind.sql()), parameters);
    }

    private Page past(Selection selection, long revision, ResourceKey last, int limit) {
        Selection.Condition condition = selection.toSql();
        Selection.Condition behind = behind(selection, last);
        String kind = ResourceTable.column(selection.kind());
        String shard = Shards.column(selection.kind().shard());
        long rows = rowLimit(limit);
        List<Object> parameters = new ArrayList<>(List.of(kind));
        parameters.addAll(behind.parameters());
        parameters.add(revision);
        parameters.addAll(condition.parameters());
        parameters.addAll(List.of(rows, shard, kind, revision));
        parameters.addAll(behind.parameters());
        parameters.addAll(condition.parameters());
        parameters.addAll(List.of(rows, rows, shard));
        return query(PAST.formatted(condition.sql(), behind.sql()), parameters);
    }

    /**
     * What comes after a key. Within one namespace by the name alone: a comparison of both would
     * have the index read from the beginning of the namespace.
     */
    private static Selection.Condition behind(Selection selection, ResourceKey last) {
        String name = StorableText.ofKey(last.name());
        return selection.namespace().isEmpty()
                ? new Selection.Condition(
                        "(namespace, name) > (?, ?)",
                        List.of(StorableText.ofKey(last.namespace()), name))
                : new Selection.Condition("name > ?", List.of(name));
    }

    private static long rowLimit(int limit) {
        // One more than the limit shows whether there is another page.
        return limit == 0 ? Long.MAX_VALUE : limit + 1L;
    }

    private Page query(String sql, List<Object> parameters) {
        return jdbc.sql(sql).params(parameters).query(ResourceLists::page);
    }

    private static Page page(ResultSet result) throws SQLException {
        List<ResourceTable.Row> rows = new ArrayList<>();
        long head = 0;
        long compacted = 0;
        long total = 0;
        while (result.next()) {
            head = result.getLong(1);
            compacted = result.getLong(2);
            total = result.getLong(7);
            String name = result.getString(4);
            if (name != null) {
                rows.add(
                        new ResourceTable.Row(
                                new ResourceKey(result.getString(3), name),
                                result.getLong(5),
                                result.getString(6)));
            }
        }
        return new Page(head, compacted, total, rows);
    }

    private DocumentList toList(
            Selection selection, Page page, long revision, int limit, long matching) {
        List<ResourceTable.Row> rows = page.rows();
        boolean more = limit > 0 && rows.size() > limit;
        List<ResourceTable.Row> shown = more ? rows.subList(0, limit) : rows;
        List<ObjectNode> items =
                shown.stream()
                        .map(
                                row ->
                                        codec.fromRow(
                                                selection.kind(),
                                                row.key(),
                                                row.version(),
                                                row.json()))
                        .toList();
        ResourceVersion version = new ResourceVersion(revision);
        if (!more) {
            return new DocumentList(version, items, "", matching < 0 ? -1 : 0);
        }
        long remaining = matching < 0 ? -1 : matching - shown.size();
        String token = new ContinueToken(revision, shown.getLast().key(), remaining).encode();
        return new DocumentList(version, items, token, remaining);
    }
}
