package dev.orloj.server.store.key;

import dev.orloj.server.store.table.SecretCipher;

import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

/** A column with one encrypted value in each row. */
public final class SealedColumn implements SealedRows {

    private final JdbcClient jdbc;
    private final SecretCipher cipher;
    private final UnaryOperator<String> place;
    private final String find;
    private final String read;
    private final String write;
    private final String count;

    /**
     * @param table has the key column {@code id}
     * @param place what the value of a row is sealed for, by the id of the row
     */
    public SealedColumn(
            DataSource pool,
            SecretCipher cipher,
            String table,
            String column,
            UnaryOperator<String> place) {
        this.jdbc = JdbcClient.create(pool);
        this.cipher = cipher;
        this.place = place;
        String start = "left(%s, 64)".formatted(column);
        this.find =
                "SELECT id FROM %s WHERE %s ~ ('^' || ?) ORDER BY id LIMIT %d"
                        .formatted(table, start, MAX_FOUND);
        this.read = "SELECT %s FROM %s WHERE id = ?".formatted(column, table);
        this.write =
                "UPDATE %s SET %s = ? WHERE id = ? AND %2$s IS NOT NULL".formatted(table, column);
        this.count =
                "SELECT split_part(%s, ':', 3), count(*) FROM %s WHERE %1$s LIKE 'orloj:v1:%%' GROUP BY 1"
                        .formatted(start, table);
    }

    @Override
    public int reseal(List<String> keys, BooleanSupplier stopped) {
        List<String> ids =
                jdbc.sql(find)
                        .param(SealedRows.pattern(keys))
                        .query((row, _) -> row.getString(1))
                        .list();
        int changed = 0;
        for (String id : ids) {
            if (stopped.getAsBoolean()) {
                break;
            }
            changed += reseal(id);
        }
        return changed;
    }

    private int reseal(String id) {
        // Of these two tables, rows get a value once; a deleted row needs none.
        Optional<String> sealed = jdbc.sql(read).param(id).query(String.class).optional();
        Optional<String> fresh =
                sealed.flatMap(text -> Unreadable.skip(() -> cipher.reseal(text, place.apply(id))));
        return fresh.isPresent() ? jdbc.sql(write).param(fresh.get()).param(id).update() : 0;
    }

    @Override
    public Map<String, Long> counts() {
        Map<String, Long> counts = new HashMap<>();
        jdbc.sql(count)
                .query(
                        row -> {
                            counts.put(row.getString(1), row.getLong(2));
                        });
        return counts;
    }
}
