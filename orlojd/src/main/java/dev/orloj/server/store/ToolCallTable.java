package dev.orloj.server.store;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.server.store.StoredCall.State;
import dev.orloj.server.store.table.SecretCipher;

import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.JsonNode;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import javax.sql.DataSource;

/**
 * Stores calls: running ones, and results for some time. Time is that of the database, so that
 * replicas agree. Thread-safe.
 */
public final class ToolCallTable {

    private static final String COLUMNS =
            " id, namespace, tool, caller, request, replica, created_at, cancelling, state,"
                    + " ended_at, answer ";

    private static final String SELECT = "SELECT" + COLUMNS + "FROM tool_call";

    private static final String BEGIN =
            """
            INSERT INTO tool_call (id, namespace, tool, caller, key, request, replica)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (namespace, tool, caller, key) WHERE key IS NOT NULL DO NOTHING
            RETURNING\
            """
                    + COLUMNS;

    private static final String FIND = SELECT + " WHERE namespace = ? AND tool = ? AND id = ?";

    private static final String FIND_BY_KEY =
            SELECT + " WHERE namespace = ? AND tool = ? AND caller = ? AND key = ?";

    private static final String END =
            """
            UPDATE tool_call
               SET state = ?, ended_at = clock_timestamp(), answer = ?, key = CASE WHEN ? THEN key END
             WHERE id = ? AND ended_at IS NULL
            """;

    private static final String CANCEL =
            "UPDATE tool_call SET cancelling = true WHERE id = ? AND ended_at IS NULL";

    private static final String FORGET =
            "DELETE FROM tool_call WHERE id = ? AND ended_at IS NOT NULL";

    private static final String CANCELLING =
            "SELECT id FROM tool_call WHERE replica = ? AND ended_at IS NULL AND cancelling";

    private static final String SHOW_LIFE =
            "UPDATE tool_call SET seen_at = clock_timestamp() WHERE id IN (:ids) AND ended_at IS"
                    + " NULL";

    private static final String RUNNING =
            SELECT + " WHERE replica = ? AND ended_at IS NULL ORDER BY id LIMIT 1000";

    private static final String ABANDONED =
            SELECT
                    + """
                     WHERE ended_at IS NULL
                       AND seen_at < clock_timestamp() - make_interval(secs => ?)
                     ORDER BY id LIMIT 1000
                    """;

    /** The time of the statement and not of the clock, which no search in an index can use. */
    static final String SWEEP =
            """
            DELETE FROM tool_call
             WHERE ended_at < greatest(
                   statement_timestamp() - make_interval(secs => ?),
                   (SELECT ended_at FROM tool_call WHERE ended_at IS NOT NULL
                     ORDER BY ended_at DESC OFFSET ? LIMIT 1))
            """;

    private final JdbcClient jdbc;
    private final SecretCipher cipher;

    public ToolCallTable(DataSource dataSource, SecretCipher cipher) {
        this.jdbc = JdbcClient.create(dataSource);
        this.cipher = cipher;
    }

    /**
     * A call that is about to begin.
     *
     * @param key under which its client makes it once
     */
    public record Beginning(
            String id,
            ResourceKey tool,
            String caller,
            Optional<String> key,
            String request,
            String replica) {}

    /**
     * Records that a call begins; empty when there is one with its key already.
     *
     * @throws ApiException (ServiceUnavailable) when its answer could not be encrypted
     */
    public Optional<StoredCall> begin(Beginning call) {
        cipher.requireKeys(); // for the digest of the request, and for the answer
        return jdbc.sql(BEGIN)
                .param(call.id())
                .param(call.tool().namespace())
                .param(call.tool().name())
                .param(call.caller())
                .param(call.key().orElse(null))
                .param(call.request())
                .param(call.replica())
                .query((row, _) -> read(row))
                .optional();
    }

    public Optional<StoredCall> find(ResourceKey tool, String id) {
        return jdbc.sql(FIND)
                .param(tool.namespace())
                .param(tool.name())
                .param(id)
                .query((row, _) -> read(row))
                .optional();
    }

    public Optional<StoredCall> findByKey(ResourceKey tool, String caller, String key) {
        return jdbc.sql(FIND_BY_KEY)
                .param(tool.namespace())
                .param(tool.name())
                .param(caller)
                .param(key)
                .query((row, _) -> read(row))
                .optional();
    }

    /**
     * Records how a call ended, unless it has ended already.
     *
     * @param made whether it may have been carried out; if not, its key is free again
     */
    public void end(String id, State state, JsonNode answer, boolean made) {
        jdbc.sql(END)
                .param(state.name())
                .param(cipher.seal(Json.MAPPER.writeValueAsString(answer), place(id)))
                .param(made)
                .param(id)
                .update();
    }

    /** Requests the end of a call from the replica that makes it; false when it has ended. */
    public boolean cancel(String id) {
        return jdbc.sql(CANCEL).param(id).update() == 1;
    }

    /** Deletes a call that has ended; false when it has not, or was deleted already. */
    public boolean forget(String id) {
        return jdbc.sql(FORGET).param(id).update() == 1;
    }

    /** The running calls of a replica whose end was requested. */
    public List<String> cancelling(String replica) {
        return jdbc.sql(CANCELLING).param(replica).query((row, _) -> row.getString("id")).list();
    }

    /** Renews the heartbeat of these calls. */
    public void showLife(Set<String> calls) {
        List<String> ids = List.copyOf(calls);
        if (!ids.isEmpty()) {
            jdbc.sql(SHOW_LIFE).param("ids", ids).update();
        }
    }

    /** Calls that a replica makes, as far as the database knows. */
    public List<StoredCall> running(String replica) {
        return jdbc.sql(RUNNING).param(replica).query((row, _) -> read(row)).list();
    }

    /** Running calls whose replica has sent no heartbeat for that time. */
    public List<StoredCall> abandoned(Duration silence) {
        return jdbc.sql(ABANDONED)
                .param((double) silence.toSeconds())
                .query((row, _) -> read(row))
                .list();
    }

    /** Deletes calls that ended so long ago, and of the others all but the newest. */
    public void sweep(Duration kept, int most) {
        jdbc.sql(SWEEP).param((double) kept.toSeconds()).param(most).update();
    }

    private StoredCall read(ResultSet row) throws SQLException {
        String id = row.getString("id");
        String answer = row.getString("answer");
        return new StoredCall(
                id,
                new ResourceKey(row.getString("namespace"), row.getString("tool")),
                row.getString("caller"),
                row.getString("request"),
                row.getString("replica"),
                row.getTimestamp("created_at").toInstant(),
                row.getBoolean("cancelling"),
                State.valueOf(row.getString("state")),
                Optional.ofNullable(row.getTimestamp("ended_at")).map(Timestamp::toInstant),
                Optional.ofNullable(answer)
                        .map(text -> Json.MAPPER.readTree(cipher.open(text, place(id)))));
    }

    /** Returns what the answer of a call is sealed for. */
    public static String place(String id) {
        return "the answer of call \"" + id + "\"";
    }
}
