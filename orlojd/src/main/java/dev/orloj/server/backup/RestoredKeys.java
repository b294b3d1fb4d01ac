package dev.orloj.server.backup;

import java.sql.SQLException;

/**
 * Adds the keys of a backup to those of the database. Replicas go on to encrypt with the current
 * data key, which they have in memory, so it stays; that of the backup is retired, and a rotation
 * in the background encrypts its values again. The derivation key of the backup replaces that of
 * the database, because rows of the backup were signed with it.
 */
final class RestoredKeys {

    static final String TABLE = "encryption_key";

    private static final String ADD_DATA =
            """
            INSERT INTO encryption_key
                   (purpose, id, state, wrapped_by, wrapped, created_at, retired_at)
            SELECT purpose, id, 'Retired', wrapped_by, wrapped, created_at, clock_timestamp()
              FROM %1$s.encryption_key
             WHERE purpose = 'data' AND state <> 'Removed'
                ON CONFLICT (purpose, id) DO UPDATE
               SET state = 'Retired', wrapped_by = excluded.wrapped_by,
                   wrapped = excluded.wrapped, retired_at = excluded.retired_at, removed_at = NULL
             WHERE encryption_key.state = 'Removed'
            """
                    .formatted(Staging.SCHEMA);

    /** Only a database that had none yet takes that of the backup as its own. */
    private static final String REQUIRE_CURRENT =
            """
            UPDATE encryption_key SET state = 'Current', retired_at = NULL
             WHERE purpose = 'data'
               AND id = (SELECT id FROM %1$s.encryption_key
                          WHERE purpose = 'data' AND state = 'Current')
               AND NOT EXISTS (SELECT 1 FROM encryption_key
                                WHERE purpose = 'data' AND state = 'Current')
            """
                    .formatted(Staging.SCHEMA);

    private static final String RETIRE_DERIVATION =
            """
            UPDATE encryption_key SET state = 'Retired', retired_at = clock_timestamp()
             WHERE purpose = 'derivation' AND state = 'Current'
               AND id <> (SELECT id FROM %1$s.encryption_key
                           WHERE purpose = 'derivation' AND state = 'Current')
            """
                    .formatted(Staging.SCHEMA);

    private static final String ADD_DERIVATION =
            """
            INSERT INTO encryption_key (purpose, id, state, wrapped_by, wrapped, created_at)
            SELECT purpose, id, state, wrapped_by, wrapped, created_at
              FROM %1$s.encryption_key
             WHERE purpose = 'derivation' AND state = 'Current'
                ON CONFLICT (purpose, id) DO UPDATE
               SET state = 'Current', retired_at = NULL
            """
                    .formatted(Staging.SCHEMA);

    private RestoredKeys() {}

    /** Returns the number of rows that were written. */
    static long add(WholeDatabase database) throws SQLException {
        long data = database.update(ADD_DATA);
        database.update(REQUIRE_CURRENT);
        database.update(RETIRE_DERIVATION);
        return data + database.update(ADD_DERIVATION);
    }
}
