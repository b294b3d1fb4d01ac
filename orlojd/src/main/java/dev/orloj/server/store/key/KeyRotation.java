package dev.orloj.server.store.key;

import dev.orloj.api.ApiException;
import dev.orloj.api.Backoff;
import dev.orloj.api.ErrorReason;
import dev.orloj.server.store.change.WakeUp;
import dev.orloj.server.store.key.KeyTable.Purpose;
import dev.orloj.server.store.key.KeyTable.Row;
import dev.orloj.server.store.key.KeyTable.State;
import dev.orloj.server.store.table.DataKey;
import dev.orloj.server.store.table.DatabaseFailure;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import javax.sql.DataSource;

/**
 * Replaces the data key, and encrypts what has an older one again, in the background. Everything
 * that it has to know is in the database: after an end at any moment, this or another replica goes
 * on. Thread-safe.
 */
public final class KeyRotation implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(KeyRotation.class);

    private static final Duration CHECK_PERIOD = Duration.ofSeconds(10);
    private static final Duration AGAIN = Duration.ofSeconds(2);
    private static final Backoff BACKOFF = Backoff.of(AGAIN, Duration.ofMinutes(10));

    /** More would only wait for each other. */
    private static final int MAX_RETIRED = 16;

    /** Held while values are encrypted again, by one replica. */
    private static final long LOCK = 0x6f726c6f6a726f74L;

    private final DataSource pool;
    private final KeyTable table;
    private final StoredKeys keys;
    private final List<SealedRows> rows;
    private final TransactionTemplate transactions;
    private final WakeUp wake = new WakeUp();
    private volatile boolean closed;

    /** Of the thread that works: how often in a row nothing could be done. */
    private int futile = 0;

    /**
     * @param rows all rows with encrypted values
     */
    public KeyRotation(DataSource pool, StoredKeys keys, List<SealedRows> rows) {
        this.pool = pool;
        this.table = new KeyTable(JdbcClient.create(pool));
        this.keys = keys;
        this.rows = List.copyOf(rows);
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(pool));
    }

    /** Begins to work in the background. */
    public void start() {
        Thread.ofVirtual().name("orloj-key-rotation").start(this::work);
    }

    /**
     * Makes a new data key, and wraps all keys with the first one of the source. Values of before
     * are encrypted again in the background.
     *
     * @param abandoned ids of lost keys without which to go on: what they protect stays unreadable
     *     until they are back
     * @return the id of the new key
     * @throws ApiException (Conflict) when a key is lost that is not abandoned, or when there is
     *     none to wrap with, (TooManyRequests) when too many rotations are not at their end
     */
    public String rotate(Set<String> abandoned) {
        DataKey fresh = DataKey.random();
        DatabaseFailure.writing(
                () -> {
                    transactions.executeWithoutResult(_ -> replace(fresh, abandoned));
                    return fresh;
                });
        keys.load();
        wake.raise();
        log.atInfo().addKeyValue("key", fresh.id()).log("Values are encrypted with a new key");
        return fresh.id();
    }

    private void replace(DataKey fresh, Set<String> abandoned) {
        table.lock();
        keys.load();
        List<Row> present = present();
        KeyEncryptionKey outer =
                keys.wrapping().stream()
                        .findFirst()
                        .orElseThrow(() -> conflict(keys.problem().orElse("there is no key")));
        if (!abandoned.containsAll(keys.wanted())) {
            throw conflict(keys.problem().orElse(""));
        }
        if (present.stream().filter(row -> row.state() == State.RETIRED).count() >= MAX_RETIRED) {
            throw new ApiException(
                    ErrorReason.TOO_MANY_REQUESTS,
                    "%d keys are retired already and not removed yet: wait until values are encrypted again"
                            .formatted(MAX_RETIRED));
        }
        table.retire(Purpose.DATA);
        table.add(Purpose.DATA, fresh, outer);
        if (present.stream().noneMatch(row -> isDerivation(row) && isReadable(row))) {
            table.retire(Purpose.DERIVATION);
            table.add(Purpose.DERIVATION, DataKey.random(), outer);
        }
        for (Row row : present) {
            if (!row.wrappedBy().equals(outer.id())) {
                keys.unwrapped(row).ifPresent(key -> table.wrapAgain(row, key.bytes(), outer));
            }
        }
    }

    private static ApiException conflict(String message) {
        return new ApiException(ErrorReason.CONFLICT, message);
    }

    private static boolean isDerivation(Row row) {
        return row.purpose() == Purpose.DERIVATION && row.state() == State.CURRENT;
    }

    private boolean isReadable(Row row) {
        return keys.unwrapped(row).isPresent();
    }

    private List<Row> present() {
        return table.all().stream().filter(row -> row.state() != State.REMOVED).toList();
    }

    /** Returns the data keys, and those that values name and that are nowhere; the oldest first. */
    public List<EncryptionKey> list() {
        keys.load();
        Map<String, Long> counts = new TreeMap<>();
        rows.forEach(each -> each.counts().forEach((id, n) -> counts.merge(id, n, Long::sum)));
        List<EncryptionKey> listed = new ArrayList<>();
        for (Row row : table.all()) {
            if (row.purpose() == Purpose.DATA) {
                Long values = counts.remove(row.id());
                boolean isMissing = row.state() != State.REMOVED && !isReadable(row);
                listed.add(
                        new EncryptionKey(
                                row.id(),
                                isMissing ? "Missing" : row.state().text(),
                                row.wrappedBy(),
                                Optional.of(row.createdAt()),
                                row.removedAt(),
                                values == null ? 0 : values));
            }
        }
        counts.forEach(
                (id, values) ->
                        listed.add(
                                new EncryptionKey(
                                        id,
                                        keys.find(id).isPresent() ? "Retired" : "Missing",
                                        "",
                                        Optional.empty(),
                                        Optional.empty(),
                                        values)));
        return listed;
    }

    private void work() {
        Duration pause = CHECK_PERIOD;
        while (!closed) {
            try {
                wake.await(pause);
                pause = closed ? pause : step();
            } catch (DataAccessException | TransactionException | ApiException | SQLException e) {
                log.atWarn()
                        .addKeyValue("error", e.toString())
                        .log("Values cannot be encrypted again now, trying again");
                pause = CHECK_PERIOD;
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Returns how long to wait: longer each time when nothing can be done. */
    private Duration step() throws SQLException {
        List<String> retired = retired();
        if (retired.isEmpty()) {
            futile = 0;
            return CHECK_PERIOD;
        }
        if (withLock(retired)) {
            futile = 0;
            return AGAIN;
        }
        futile++;
        return BACKOFF.delay(futile);
    }

    private List<String> retired() {
        return present().stream()
                .filter(row -> row.purpose() == Purpose.DATA && row.state() == State.RETIRED)
                .map(Row::id)
                .toList();
    }

    private boolean withLock(List<String> retired) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            if (!call(connection, "SELECT pg_try_advisory_lock(?)")) {
                return true; // another replica is at it
            }
            try {
                return encryptAgain(retired);
            } finally {
                call(connection, "SELECT pg_advisory_unlock(?)");
            }
        }
    }

    private static boolean call(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, LOCK);
            try (ResultSet result = statement.executeQuery()) {
                return result.next() && result.getBoolean(1);
            }
        }
    }

    /** Encrypts what has one of these keys again, and removes those that nothing uses. */
    boolean encryptAgain(List<String> retired) {
        keys.load();
        List<String> readable = new ArrayList<>(retired);
        // Before databases had keys, that of the file encrypted the values.
        keys.wrapping().stream()
                .map(KeyEncryptionKey::id)
                .filter(id -> !id.equals(keys.current().id()))
                .forEach(readable::add);
        readable.removeIf(id -> keys.find(id).isEmpty());
        int changed = 0;
        if (!readable.isEmpty()) {
            for (SealedRows each : rows) {
                changed += each.reseal(readable, () -> closed);
            }
        }
        if (changed > 0) {
            log.atInfo().addKeyValue("rows", changed).log("Values were encrypted again");
        }
        boolean removed = false;
        for (String id : retired) {
            removed |= !closed && removeUnused(id);
        }
        if (removed) {
            table.sweep();
        }
        return changed > 0 || removed;
    }

    /** Writers that name the key wait for the end of this, or this for theirs. */
    private boolean removeUnused(String id) {
        Boolean removed =
                transactions.execute(
                        status -> {
                            if (table.remove(id)
                                    && rows.stream()
                                            .noneMatch(each -> each.counts().containsKey(id))) {
                                return true;
                            }
                            status.setRollbackOnly();
                            return false;
                        });
        if (Boolean.TRUE.equals(removed)) {
            log.atInfo().addKeyValue("key", id).log("A key that nothing uses was removed");
            return true;
        }
        return false;
    }

    @Override
    public void close() {
        closed = true;
        wake.raise();
    }
}
