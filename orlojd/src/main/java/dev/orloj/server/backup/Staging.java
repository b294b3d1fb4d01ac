package dev.orloj.server.backup;

import dev.orloj.api.backup.BackupException;
import dev.orloj.api.backup.BackupHeader;
import dev.orloj.api.backup.BackupReader;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import javax.sql.DataSource;

/**
 * A schema beside that of the instance, where a backup is read, verified and brought to the present
 * version. Nothing else uses it, so what fails here has changed nothing.
 */
final class Staging implements AutoCloseable {

    static final String SCHEMA = "orloj_restore";

    private static final String DROP = "DROP SCHEMA IF EXISTS " + SCHEMA + " CASCADE";

    private static final String IS_THERE =
            "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = ?)";

    /** Two numbers that nothing else uses, of a lock of the database. */
    private static final String LOCK = "SELECT pg_try_advisory_xact_lock(7126831, 22)";

    private final DataSource direct;
    private final SchemaVersion schema;

    /** Its transaction has the lock. */
    private final WholeDatabase lock;

    private Staging(DataSource direct, SchemaVersion schema, WholeDatabase lock) {
        this.direct = direct;
        this.schema = schema;
        this.lock = lock;
    }

    /** Returns whether the schema exists: a restore is in progress, or was killed. */
    static boolean isThere(DataSource direct) throws SQLException {
        try (WholeDatabase database = new WholeDatabase(direct)) {
            return database.jdbc().sql(IS_THERE).param(SCHEMA).query(Boolean.class).single();
        }
    }

    /** Begins, unless another restore is in progress at any replica. */
    static Optional<Staging> tryOpen(DataSource direct, SchemaVersion schema) throws SQLException {
        WholeDatabase lock = new WholeDatabase(direct);
        boolean isOpen = false;
        try {
            lock.begin();
            if (lock.jdbc().sql(LOCK).query(Boolean.class).single()) {
                drop(direct);
                isOpen = true;
                return Optional.of(new Staging(direct, schema, lock));
            }
            return Optional.empty();
        } finally {
            if (!isOpen) {
                lock.close();
            }
        }
    }

    /**
     * Reads a backup into the schema, as of its version, and brings it up to date.
     *
     * @throws BackupException when it is damaged, incomplete, or does not fit its version
     * @throws IOException when it cannot be read
     */
    void load(BackupReader backup) throws IOException, SQLException {
        BackupHeader header = backup.header();
        schema.create(direct, SCHEMA, header.schema());
        try (WholeDatabase database = new WholeDatabase(direct)) {
            database.begin();
            database.execute("SET LOCAL search_path = " + SCHEMA);
            requireTables(StoredTables.of(database.jdbc()), header);
            for (BackupHeader.Table table : header.tables().reversed()) {
                database.execute("DELETE FROM \"%s\"".formatted(table.name()));
            }
            for (Optional<BackupReader.Entry> entry = backup.next();
                    entry.isPresent();
                    entry = backup.next()) {
                copy(database, entry.get());
            }
            database.commit();
        }
        schema.migrate(direct, SCHEMA);
    }

    private static void copy(WholeDatabase database, BackupReader.Entry entry)
            throws IOException, SQLException {
        BackupHeader.Table table = entry.table();
        try {
            database.copy()
                    .copyIn(
                            "COPY \"%s\" (%s) FROM STDIN"
                                    .formatted(table.name(), StoredTables.columns(table)),
                            entry.rows());
        } catch (SQLException e) {
            if (isOfData(e)) {
                throw new BackupException(
                        "the backup is damaged: \"%s\": %s; take another copy"
                                .formatted(table.name(), e.getMessage()),
                        e);
            }
            throw e;
        }
    }

    /** By SQLSTATE: data exceptions, and violations of constraints. */
    private static boolean isOfData(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.startsWith("22") || state.startsWith("23");
    }

    private static void requireTables(List<BackupHeader.Table> known, BackupHeader header)
            throws BackupException {
        for (BackupHeader.Table table : header.tables()) {
            boolean isKnown =
                    known.stream()
                            .anyMatch(
                                    each ->
                                            each.name().equals(table.name())
                                                    && each.columns().containsAll(table.columns()));
            if (!isKnown) {
                throw new BackupException(
                        "the backup has a table \"%s\" that version %d of the schema does not have like this"
                                .formatted(table.name(), header.schema()));
            }
        }
    }

    private static void drop(DataSource direct) throws SQLException {
        try (WholeDatabase database = new WholeDatabase(direct)) {
            database.begin();
            database.execute(DROP);
            database.commit();
        }
    }

    @Override
    public void close() throws SQLException {
        try {
            drop(direct);
        } finally {
            lock.close();
        }
    }
}
