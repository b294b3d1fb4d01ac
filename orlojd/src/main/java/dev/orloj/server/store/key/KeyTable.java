package dev.orloj.server.store.key;

import dev.orloj.server.store.table.DataKey;

import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Stores the keys, wrapped. Thread-safe. */
final class KeyTable {

    /** Held by the transaction that makes keys. */
    private static final long LOCK = 0x6f726c6f6a6b6579L;

    private static final String ALL =
            """
            SELECT purpose, id, state, wrapped_by, wrapped, created_at, retired_at, removed_at
              FROM encryption_key ORDER BY created_at, purpose, id
            """;
    private static final String ADD =
            """
            INSERT INTO encryption_key (purpose, id, state, wrapped_by, wrapped)
            VALUES (?, ?, 'Current', ?, ?)
            """;
    private static final String RETIRE =
            """
            UPDATE encryption_key SET state = 'Retired', retired_at = clock_timestamp()
             WHERE purpose = ? AND state = 'Current'
            """;
    private static final String WRAP_AGAIN =
            "UPDATE encryption_key SET wrapped_by = ?, wrapped = ? WHERE purpose = ? AND id = ?";

    /** Writers learn within a second that a key is no longer the current one. */
    private static final String REMOVE =
            """
            UPDATE encryption_key
               SET state = 'Removed', removed_at = clock_timestamp(), wrapped = ''
             WHERE purpose = 'data' AND id = ? AND state = 'Retired'
               AND retired_at < clock_timestamp() - interval '2 seconds'
            """;

    /** No write takes that long. */
    private static final String SWEEP =
            "DELETE FROM encryption_key WHERE state = 'Removed' AND removed_at <"
                    + " clock_timestamp() - interval '30 days'";

    private static final String HAS_RESOURCES = "SELECT EXISTS (SELECT 1 FROM resource)";

    private final JdbcClient jdbc;

    KeyTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What a key is for. */
    enum Purpose {
        DATA("data"),
        DERIVATION("derivation");

        private final String column;

        Purpose(String column) {
            this.column = column;
        }

        static Purpose of(String column) {
            return column.equals(DATA.column) ? DATA : DERIVATION;
        }

        /** Binds a wrapped key to its row. */
        String use(String id) {
            return "orloj encryption key, %s, %s".formatted(column, id);
        }
    }

    /** Whether a key is used. */
    enum State {
        CURRENT("Current"),
        RETIRED("Retired"),
        REMOVED("Removed");

        private final String column;

        State(String column) {
            this.column = column;
        }

        static State of(String column) {
            return column.equals(CURRENT.column)
                    ? CURRENT
                    : column.equals(RETIRED.column) ? RETIRED : REMOVED;
        }

        String text() {
            return column;
        }
    }

    /**
     * A row.
     *
     * @param wrappedBy id of the key that wraps it
     * @param wrapped empty when it is removed
     */
    record Row(
            Purpose purpose,
            String id,
            State state,
            String wrappedBy,
            String wrapped,
            Instant createdAt,
            Optional<Instant> retiredAt,
            Optional<Instant> removedAt) {

        String use() {
            return purpose.use(id);
        }
    }

    /** The oldest first. */
    List<Row> all() {
        return jdbc.sql(ALL)
                .query(
                        (row, _) ->
                                new Row(
                                        Purpose.of(row.getString("purpose")),
                                        row.getString("id"),
                                        State.of(row.getString("state")),
                                        row.getString("wrapped_by"),
                                        row.getString("wrapped"),
                                        row.getTimestamp("created_at").toInstant(),
                                        instant(row.getTimestamp("retired_at")),
                                        instant(row.getTimestamp("removed_at"))))
                .list();
    }

    private static Optional<Instant> instant(@org.jspecify.annotations.Nullable Timestamp time) {
        return Optional.ofNullable(time).map(Timestamp::toInstant);
    }

    /** Keeps others from making keys until the transaction ends. */
    void lock() {
        jdbc.sql("SELECT pg_advisory_xact_lock(?)").param(LOCK).query((_, _) -> true).single();
    }

    void add(Purpose purpose, DataKey key, KeyEncryptionKey by) {
        jdbc.sql(ADD)
                .param(purpose.column)
                .param(key.id())
                .param(by.id())
                .param(by.wrap(key.bytes(), purpose.use(key.id())))
                .update();
    }

    void retire(Purpose purpose) {
        jdbc.sql(RETIRE).param(purpose.column).update();
    }

    void wrapAgain(Row row, byte[] key, KeyEncryptionKey by) {
        jdbc.sql(WRAP_AGAIN)
                .param(by.id())
                .param(by.wrap(key, row.use()))
                .param(row.purpose().column)
                .param(row.id())
                .update();
    }

    /** Removes a retired data key; false when it was retired just now, or is not retired. */
    boolean remove(String id) {
        return jdbc.sql(REMOVE).param(id).update() == 1;
    }

    /** Forgets keys that were removed long ago. */
    void sweep() {
        jdbc.sql(SWEEP).update();
    }

    /** Returns whether the database was in use before it had keys. */
    boolean hasResources() {
        return jdbc.sql(HAS_RESOURCES).query(Boolean.class).single();
    }
}
