package dev.orloj.server.store.token;

import dev.orloj.api.ApiException;
import dev.orloj.server.store.table.SecretCipher;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import javax.sql.DataSource;

/** Stores the keys that sign tokens, for all replicas of a database. */
public final class SigningKeyTable {

    private static final Logger log = LoggerFactory.getLogger(SigningKeyTable.class);

    private static final String ALL =
            "SELECT id, sealed, created_at FROM signing_key ORDER BY created_at DESC, id LIMIT 100";
    private static final String ADD =
            "INSERT INTO signing_key (id, sealed, created_at) VALUES (?, ?, ?)";
    private static final String SWEEP = "DELETE FROM signing_key WHERE created_at < ?";

    private final JdbcClient jdbc;
    private final SecretCipher cipher;

    public SigningKeyTable(DataSource dataSource, SecretCipher cipher) {
        this.jdbc = JdbcClient.create(dataSource);
        this.cipher = cipher;
    }

    /**
     * A key.
     *
     * @param encoded both halves, which are secret
     */
    public record StoredKey(String id, String encoded, Instant createdAt) {

        @Override
        public String toString() {
            return "StoredKey[" + id + "]";
        }
    }

    /** Returns the keys, the newest first. One that was sealed with a lost key is left out. */
    public List<StoredKey> all() {
        return jdbc
                .sql(ALL)
                .query(
                        (row, _) ->
                                open(
                                        row.getString("id"),
                                        row.getString("sealed"),
                                        row.getTimestamp("created_at").toInstant()))
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<StoredKey> open(String id, String sealed, Instant createdAt) {
        try {
            return Optional.of(new StoredKey(id, cipher.open(sealed, place(id)), createdAt));
        } catch (ApiException e) {
            log.atWarn()
                    .addKeyValue("error", e.getMessage())
                    .log("Tokens of a key are invalid, because the key cannot be read");
            return Optional.empty();
        }
    }

    public void add(StoredKey key) {
        jdbc.sql(ADD)
                .param(key.id())
                .param(cipher.seal(key.encoded(), place(key.id())))
                .param(java.sql.Timestamp.from(key.createdAt()))
                .update();
    }

    /** Deletes keys that no valid token is signed with. */
    public void sweep(Instant createdBefore) {
        jdbc.sql(SWEEP).param(java.sql.Timestamp.from(createdBefore)).update();
    }

    /** Returns what a key is sealed for. */
    public static String place(String id) {
        return "the signing key \"" + id + "\"";
    }
}
