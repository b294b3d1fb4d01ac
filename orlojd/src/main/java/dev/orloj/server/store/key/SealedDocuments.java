package dev.orloj.server.store.key;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;
import dev.orloj.server.store.table.DocumentCodec;
import dev.orloj.server.store.table.ResourceTable;
import dev.orloj.server.store.table.SecretCipher;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

import javax.sql.DataSource;

/** The documents of resources and of the log of their changes. */
public final class SealedDocuments implements SealedRows {

    private static final String FIND_RESOURCES =
            """
            SELECT kind, namespace, name FROM resource WHERE kind = ANY(?) AND document::text ~ ?
             ORDER BY kind, namespace, name LIMIT %d
            """
                    .formatted(MAX_FOUND);

    private static final String READ_RESOURCE =
            """
            SELECT resource_version, document FROM resource
             WHERE kind = ? AND namespace = ? AND name = ?
            """;

    /** A row that was written meanwhile has the current key already. */
    private static final String WRITE_RESOURCE =
            """
            UPDATE resource SET document = ?::json
             WHERE kind = ? AND namespace = ? AND name = ? AND resource_version = ?
            """;

    private static final String FIND_CHANGES =
            """
            SELECT shard, rev FROM resource_change
             WHERE kind = ANY(?) AND (object::text ~ ? OR prev::text ~ ?)
             ORDER BY shard, rev LIMIT %d
            """
                    .formatted(MAX_FOUND);

    private static final String READ_CHANGE =
            """
            SELECT kind, namespace, name, object, prev FROM resource_change
             WHERE shard = ? AND rev = ?
            """;

    private static final String WRITE_CHANGE =
            "UPDATE resource_change SET object = ?::json, prev = ?::json WHERE shard = ? AND rev"
                    + " = ?";

    private static final String COUNT =
            """
            SELECT found[1], count(*)
              FROM (SELECT document::text AS text FROM resource WHERE kind = ANY(?)
                    UNION ALL
                    SELECT object::text || coalesce(prev::text, '') FROM resource_change
                     WHERE kind = ANY(?)) AS documents,
                   regexp_matches(text, 'orloj:v1:([0-9a-f]+):', 'g') AS found
             GROUP BY 1
            """;

    private final JdbcClient jdbc;
    private final DocumentCodec codec;
    private final Map<String, KindDescriptor<?>> kinds = new TreeMap<>();

    public SealedDocuments(DataSource pool, SecretCipher cipher, Scheme scheme) {
        this.jdbc = JdbcClient.create(pool);
        this.codec = new DocumentCodec(cipher);
        for (KindDescriptor<?> kind : scheme.descriptors()) {
            if (!kind.stored().sensitiveFields().isEmpty()) {
                kinds.put(ResourceTable.column(kind), kind.stored());
            }
        }
    }

    private record Row(String kind, ResourceKey key) {}

    private record Change(String shard, long revision) {}

    /** The resources first: a change repeats the document that its resource had before. */
    @Override
    public int reseal(List<String> keys, BooleanSupplier stopped) {
        String pattern = SealedRows.pattern(keys);
        List<Row> rows =
                jdbc.sql(FIND_RESOURCES)
                        .param(kinds())
                        .param(pattern)
                        .query(
                                (row, _) ->
                                        new Row(
                                                row.getString(1),
                                                new ResourceKey(
                                                        row.getString(2), row.getString(3))))
                        .list();
        int changed = 0;
        for (Row row : rows) {
            changed += stopped.getAsBoolean() ? 0 : reseal(row);
        }
        List<Change> changes =
                jdbc.sql(FIND_CHANGES)
                        .param(kinds())
                        .param(pattern)
                        .param(pattern)
                        .query((row, _) -> new Change(row.getString(1), row.getLong(2)))
                        .list();
        for (Change change : changes) {
            changed += stopped.getAsBoolean() ? 0 : reseal(change);
        }
        return changed;
    }

    private int reseal(Row row) {
        return jdbc.sql(READ_RESOURCE)
                .param(row.kind())
                .param(row.key().namespace())
                .param(row.key().name())
                .query(
                        (found, _) ->
                                write(row, found.getLong(1), resealed(row, found.getString(2))))
                .optional()
                .orElse(0);
    }

    private int write(Row row, long version, Optional<String> document) {
        return document.isEmpty()
                ? 0
                : jdbc.sql(WRITE_RESOURCE)
                        .param(document.get())
                        .param(row.kind())
                        .param(row.key().namespace())
                        .param(row.key().name())
                        .param(version)
                        .update();
    }

    private record Documents(Row row, String object, @Nullable String previous) {}

    private int reseal(Change change) {
        Optional<Documents> found =
                jdbc.sql(READ_CHANGE)
                        .param(change.shard())
                        .param(change.revision())
                        .query(
                                (row, _) ->
                                        new Documents(
                                                new Row(
                                                        row.getString(1),
                                                        new ResourceKey(
                                                                row.getString(2),
                                                                row.getString(3))),
                                                row.getString(4),
                                                row.getString(5)))
                        .optional();
        if (found.isEmpty()) {
            return 0;
        }
        Documents documents = found.get();
        String before = documents.previous();
        Optional<String> object = resealed(documents.row(), documents.object());
        Optional<String> previous =
                before == null ? Optional.empty() : resealed(documents.row(), before);
        if (object.isEmpty() && previous.isEmpty()) {
            return 0;
        }
        return jdbc.sql(WRITE_CHANGE)
                .param(object.orElse(documents.object()))
                .param(previous.orElse(before))
                .param(change.shard())
                .param(change.revision())
                .update();
    }

    private Optional<String> resealed(Row row, String document) {
        KindDescriptor<?> kind = Objects.requireNonNull(kinds.get(row.kind()));
        return Unreadable.skip(() -> codec.resealed(kind, row.key(), document));
    }

    private String[] kinds() {
        return kinds.keySet().toArray(String[]::new);
    }

    @Override
    public Map<String, Long> counts() {
        Map<String, Long> counts = new HashMap<>();
        jdbc.sql(COUNT)
                .param(kinds())
                .param(kinds())
                .query(
                        row -> {
                            counts.put(row.getString(1), row.getLong(2));
                        });
        return counts;
    }
}
