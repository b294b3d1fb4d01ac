package dev.orloj.server.backup;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.backup.BackupHeader;
import dev.orloj.api.backup.BackupWriter;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;

import javax.sql.DataSource;

/**
 * Writes one state of the whole database to a stream, while requests go on. Secrets stay encrypted.
 * Memory does not depend on the size of the database. Thread-safe.
 */
public final class DatabaseBackup {

    private static final Logger log = LoggerFactory.getLogger(DatabaseBackup.class);

    private static final String REVISION = "SELECT max(rev) FROM revision_counter";

    /** The keys outside of the database that unwrap those in it which are needed. */
    private static final String KEYS =
            """
            SELECT DISTINCT wrapped_by FROM encryption_key
             WHERE state = 'Current' OR state = 'Retired' AND purpose = 'data'
             ORDER BY 1
            """;

    private final DataSource direct;
    private final SchemaVersion schema;
    private final String version;
    private final InstantSource clock;

    /** Each keeps a connection, and the rows that were deleted since it began. */
    private final Semaphore permits = new Semaphore(1);

    /**
     * @param direct opens a connection each time
     * @param version of this orlojd
     */
    public DatabaseBackup(
            DataSource direct, SchemaVersion schema, String version, InstantSource clock) {
        this.direct = direct;
        this.schema = schema;
        this.version = version;
        this.clock = clock;
    }

    /** Receives the backup. */
    @FunctionalInterface
    public interface Destination {

        /** Opens the stream, as soon as the database can be read. */
        OutputStream open(BackupHeader header) throws IOException;
    }

    /**
     * Writes a backup.
     *
     * @throws ApiException (TooManyRequests) while another one is written, (ServiceUnavailable)
     *     when the database cannot be read
     * @throws IOException when the stream cannot be written
     */
    public void writeTo(Destination destination) throws IOException {
        if (!permits.tryAcquire()) {
            throw new ApiException(
                    ErrorReason.TOO_MANY_REQUESTS,
                    "this orlojd writes another backup at present: try again when it is done");
        }
        try (WholeDatabase database = new WholeDatabase(direct)) {
            database.beginSnapshot();
            JdbcClient jdbc = database.jdbc();
            BackupHeader header =
                    new BackupHeader(
                            version,
                            schema.current(),
                            clock.instant(),
                            jdbc.sql(KEYS).query((row, _) -> row.getString(1)).list(),
                            jdbc.sql(REVISION).query(Long.class).single(),
                            StoredTables.of(jdbc));
            OutputStream out = destination.open(header);
            long rows = write(database, new BackupWriter(out, header), header);
            out.flush();
            log.atInfo()
                    .addKeyValue("rows", rows)
                    .addKeyValue("revision", header.revision())
                    .log("Backup written");
        } catch (SQLException e) {
            throw WholeDatabase.failure("the database cannot be read", e);
        } finally {
            permits.release();
        }
    }

    private static long write(WholeDatabase database, BackupWriter writer, BackupHeader header)
            throws IOException, SQLException {
        long[] rows = new long[1];
        for (BackupHeader.Table table : header.tables()) {
            writer.table(
                    table.name(),
                    out -> {
                        try {
                            rows[0] +=
                                    database.copy()
                                            .copyOut(
                                                    "COPY (%s) TO STDOUT"
                                                            .formatted(StoredTables.rows(table)),
                                                    out);
                        } catch (SQLException e) {
                            throw new IOException(
                                    "table \"%s\" cannot be read: %s"
                                            .formatted(table.name(), e.getMessage()),
                                    e);
                        }
                    });
        }
        writer.finish();
        return rows[0];
    }
}
