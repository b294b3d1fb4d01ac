package dev.orloj.server.backup;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.backup.BackupException;
import dev.orloj.api.backup.BackupHeader;
import dev.orloj.api.backup.BackupLimits;
import dev.orloj.api.backup.BackupReader;
import dev.orloj.api.core.Namespace;
import dev.orloj.server.audit.RestoreEvent;
import dev.orloj.server.store.key.StoredKeys;

import org.flywaydb.core.api.FlywayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import javax.sql.DataSource;

/**
 * Replaces the contents of the database by a backup, while requests go on. A backup that is
 * refused, damaged or cut changes nothing. Thread-safe.
 */
public final class DatabaseRestore {

    private static final Logger log = LoggerFactory.getLogger(DatabaseRestore.class);

    /** What no installation has of its own accord. */
    private static final String CONTENT =
            """
            SELECT kind || ' "' || concat_ws('/', nullif(namespace, ''), name) || '"' FROM resource
             WHERE kind LIKE '%.orloj.dev'
                OR kind LIKE 'role%.rbac.authorization.k8s.io'
                OR kind IN ('configmaps', 'secrets')
                OR kind IN ('clusterroles.rbac.authorization.k8s.io',
                            'clusterrolebindings.rbac.authorization.k8s.io')
                   AND labels ->> 'kubernetes.io/bootstrapping' IS NULL
                OR kind = 'namespaces' AND name <> ALL (?)
                OR kind = 'serviceaccounts' AND name <> 'default'
            UNION ALL
            SELECT 'token "' || name || '" of a user' FROM user_token
            UNION ALL
            SELECT 'the ledger of server "' || namespace || '/' || server || '"' FROM tool_ledger
             LIMIT 1
            """;

    private final DataSource direct;
    private final SchemaVersion schema;
    private final StoredKeys keys;
    private final RestoreEvent event;

    /**
     * @param direct opens a connection each time
     * @param keys those of this orlojd, which have to unwrap those of a backup
     * @param event begins the part of the audit log after a restore
     */
    public DatabaseRestore(
            DataSource direct, SchemaVersion schema, StoredKeys keys, RestoreEvent event) {
        this.direct = direct;
        this.schema = schema;
        this.keys = keys;
        this.event = event;
    }

    /**
     * Drops what a restore left that was killed. What another replica restores at this moment
     * stays. No part of the start waits for it.
     */
    public void dropLeftoverInBackground() {
        Thread.ofVirtual().name("orloj-restore-leftover").start(this::dropLeftover);
    }

    private void dropLeftover() {
        try {
            if (Staging.isThere(direct)) {
                Optional<Staging> leftover = Staging.tryOpen(direct, schema);
                if (leftover.isPresent()) {
                    leftover.get().close();
                    log.atWarn()
                            .log("A restore did not come to its end: what it had read is dropped");
                }
            }
        } catch (SQLException e) {
            log.atWarn()
                    .addKeyValue("error", e.getMessage())
                    .log("What a killed restore left cannot be dropped; the next restore drops it");
        }
    }

    /**
     * What a restore did.
     *
     * @param revision the resourceVersion of all that is there now
     * @param rows number of rows by table
     */
    public record Restored(BackupHeader backup, long revision, Map<String, Long> rows) {}

    /** Returns whether this orlojd has to start again to use the derivation key of a backup. */
    public boolean requiresRestart() {
        return keys.isDerivationReplaced();
    }

    /**
     * Refuses a backup that cannot be restored here, by its header.
     *
     * @param force replaces what is there
     * @throws ApiException (Conflict) with the reason and the remedy
     */
    public void check(BackupHeader header, boolean force) {
        try (WholeDatabase database = new WholeDatabase(direct)) {
            database.begin();
            check(header, force, database.jdbc());
        } catch (SQLException e) {
            throw WholeDatabase.failure("the database cannot be read", e);
        }
    }

    private void check(BackupHeader header, boolean force, JdbcClient jdbc) {
        int newest = schema.newest();
        int current = schema.current();
        if (header.schema() > newest) {
            throw refused(
                    "the backup is of Orloj %s, whose database has version %d, and this orlojd knows version %d: restore it with that Orloj, or a newer one"
                            .formatted(header.version(), header.schema(), newest));
        }
        if (current > newest) {
            throw refused(
                    "the database has version %d and this orlojd knows version %d: restore with the newer orlojd"
                            .formatted(current, newest));
        }
        List<String> present = keys.wrappingIds();
        List<String> missing = header.keys().stream().filter(id -> !present.contains(id)).toList();
        if (!missing.isEmpty()) {
            throw refused(
                    "the keys of the backup are wrapped by key \"%s\", and this orlojd has key \"%s\": add the key of the backup as a further line to its key file (--secret-key-file, or secret.key in the data directory), or give it with --secret-key-pkcs11 if a hardware security module has it"
                            .formatted(
                                    String.join("\", \"", missing),
                                    String.join("\", \"", present)));
        }
        if (!keys.wanted().isEmpty()) {
            throw refused(keys.problem().orElse("keys of this database are missing"));
        }
        if (!force) {
            Optional<String> content =
                    jdbc.sql(CONTENT)
                            .param(Namespace.PERMANENT.toArray(String[]::new))
                            .query(String.class)
                            .optional();
            if (content.isPresent()) {
                throw refused(
                        "this instance has data, such as %s: restore into a new instance, or replace all of it with --force (force=true)"
                                .formatted(content.get()));
            }
        }
    }

    private static ApiException refused(String why) {
        return new ApiException(ErrorReason.CONFLICT, why);
    }

    /**
     * Reads a backup to its end, verifies it, and replaces the contents of the database.
     *
     * @param force also when the instance has data
     * @throws ApiException (Conflict) when it cannot be restored here, (BadRequest) when it is
     *     damaged or incomplete, or exceeds a limit
     * @throws IOException when it cannot be read
     */
    public Restored run(InputStream file, BackupLimits limits, boolean force) throws IOException {
        try {
            BackupReader backup = new BackupReader(file, limits);
            check(backup.header(), force);
            Staging staging =
                    Staging.tryOpen(direct, schema)
                            .orElseThrow(() -> refused("another restore is in progress"));
            try (staging) {
                staging.load(backup);
                Restored restored = replace(backup.header(), force);
                keys.reload();
                log.atWarn()
                        .addKeyValue("backup", backup.header().createdAt())
                        .addKeyValue("rows", restored.rows())
                        .addKeyValue("revision", restored.revision())
                        .log("Contents of the database were replaced by a backup");
                return restored;
            }
        } catch (BackupException e) {
            throw ApiException.badRequest(String.valueOf(e.getMessage()));
        } catch (SQLException e) {
            throw WholeDatabase.failure("the database could not be restored, nothing changed", e);
        } catch (DataAccessException | FlywayException e) {
            throw failed(e);
        }
    }

    private static ApiException failed(RuntimeException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return WholeDatabase.failure(
                        "the database could not be restored, nothing changed", sql);
            }
        }
        throw e;
    }

    private Restored replace(BackupHeader header, boolean force) throws SQLException {
        try (WholeDatabase database = new WholeDatabase(direct)) {
            database.begin();
            DatabaseReplacement replacement = new DatabaseReplacement(database, header, event);
            replacement.lock();
            check(header, force, database.jdbc()); // again, now that nothing can be added
            DatabaseReplacement.Result result = replacement.run();
            database.commit();
            return new Restored(header, result.revision(), result.rows());
        }
    }
}
