package dev.orloj.server.store.table;

import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.List;

import javax.sql.DataSource;

/** The encrypted values of a database that has no keys of its own yet. */
public final class SealedValues {

    private static final String KEY_IDS =
            """
            SELECT DISTINCT split_part(sealed, ':', 3) FROM signing_key WHERE sealed LIKE 'orloj:v1:%'
            UNION
            SELECT DISTINCT found[1]
              FROM resource, regexp_matches(document::text, '"orloj:v1:([0-9a-f]+):', 'g') AS found
             WHERE kind = 'secrets.orloj.dev'
            """;

    private SealedValues() {}

    /** Returns the ids of the keys that values are encrypted with. */
    public static List<String> keyIds(DataSource pool) {
        return JdbcClient.create(pool).sql(KEY_IDS).query((row, _) -> row.getString(1)).list();
    }
}
