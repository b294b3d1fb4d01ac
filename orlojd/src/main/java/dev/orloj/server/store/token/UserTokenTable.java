package dev.orloj.server.store.token;

import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import javax.sql.DataSource;

/** Stores the tokens of users, by their digests. Thread-safe. */
public final class UserTokenTable {

    private static final String COLUMNS =
            " name, username, groups, parent, created_by, created_at, expires_at, last_used_at ";
    private static final String SELECT = "SELECT" + COLUMNS + "FROM user_token";

    private static final String FIND = SELECT + " WHERE digest = ?";
    private static final String FIND_BY_NAME = SELECT + " WHERE name = ?";
    private static final String LIST = SELECT + " ORDER BY name LIMIT 10000";

    /** One condition for both limits, so that creations at the same time exceed neither by much. */
    private static final String ADD =
            """
            INSERT INTO user_token (name, digest, username, groups, parent, created_by, created_at, expires_at)
            SELECT :name, :digest, :username, :groups, :parent, :createdBy, :createdAt, :expiresAt
             WHERE (SELECT count(*) FROM user_token WHERE username = :username) < :mostOfUser
               AND (SELECT count(*) FROM user_token) < :most
            """;

    private static final String USE =
            "UPDATE user_token SET last_used_at = ? WHERE name = ? AND (last_used_at IS NULL OR"
                    + " last_used_at < ?)";
    private static final String DELETE = "DELETE FROM user_token WHERE name = ?";
    private static final String SWEEP = "DELETE FROM user_token WHERE expires_at < ?";

    /** How exact the time of the last use is. */
    private static final Duration USE_PERIOD = Duration.ofMinutes(10);

    private final JdbcClient jdbc;

    public UserTokenTable(DataSource dataSource) {
        this.jdbc = JdbcClient.create(dataSource);
    }

    public Optional<UserToken> find(byte[] digest) {
        return jdbc.sql(FIND).param(digest).query((row, _) -> read(row)).optional();
    }

    public Optional<UserToken> findByName(String name) {
        return jdbc.sql(FIND_BY_NAME).param(name).query((row, _) -> read(row)).optional();
    }

    public List<UserToken> list() {
        return jdbc.sql(LIST).query((row, _) -> read(row)).list();
    }

    /**
     * @return false when there are too many
     * @throws org.springframework.dao.DuplicateKeyException when the name is taken
     */
    public boolean add(UserToken token, byte[] digest, int mostOfUser, int most) {
        return jdbc.sql(ADD)
                        .param("name", token.name())
                        .param("digest", digest)
                        .param("username", token.username())
                        .param("groups", token.groups().toArray(String[]::new))
                        .param("parent", token.parent().orElse(null), java.sql.Types.VARCHAR)
                        .param("createdBy", token.createdBy())
                        .param("createdAt", Timestamp.from(token.createdAt()))
                        .param("expiresAt", Timestamp.from(token.expiresAt()))
                        .param("mostOfUser", mostOfUser)
                        .param("most", most)
                        .update()
                == 1;
    }

    /** Notes a use, if the last one that was noted is some time ago. */
    public void use(UserToken token, Instant now) {
        Instant due = now.minus(USE_PERIOD);
        if (token.lastUsedAt().filter(last -> last.isAfter(due)).isEmpty()) {
            jdbc.sql(USE)
                    .param(Timestamp.from(now))
                    .param(token.name())
                    .param(Timestamp.from(due))
                    .update();
        }
    }

    /** Deletes a token and those that were created with it; false when there is none. */
    public boolean delete(String name) {
        return jdbc.sql(DELETE).param(name).update() == 1;
    }

    public void sweep(Instant expiredBefore) {
        jdbc.sql(SWEEP).param(Timestamp.from(expiredBefore)).update();
    }

    private static UserToken read(ResultSet row) throws SQLException {
        return new UserToken(
                row.getString("name"),
                row.getString("username"),
                List.of((String[]) row.getArray("groups").getArray()),
                Optional.ofNullable(row.getString("parent")),
                row.getString("created_by"),
                row.getTimestamp("created_at").toInstant(),
                row.getTimestamp("expires_at").toInstant(),
                Optional.ofNullable(row.getTimestamp("last_used_at")).map(Timestamp::toInstant));
    }
}
