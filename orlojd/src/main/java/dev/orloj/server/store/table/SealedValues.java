package dev.orloj.server.store.table;

import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.Optional;

import javax.sql.DataSource;

/** The encrypted values of a database. */
public final class SealedValues {

    /** Signing keys are read first: they are few, and a database that was in use has one. */
    private static final String KEY_ID =
            """
            SELECT split_part(sealed, ':', 3) FROM signing_key WHERE sealed LIKE 'orloj:v1:%'
            UNION ALL
            SELECT substring(document::text FROM '"orloj:v1:([0-9a-f]+):') FROM resource
             WHERE document::text LIKE '%"orloj:v1:%'
             LIMIT 1
            """;

    private SealedValues() {}

    /** Returns the id of a key that values are encrypted with; empty if none are encrypted. */
    public static Optional<String> keyId(DataSource pool) {
        return JdbcClient.create(pool).sql(KEY_ID).query(String.class).optional();
    }
}
