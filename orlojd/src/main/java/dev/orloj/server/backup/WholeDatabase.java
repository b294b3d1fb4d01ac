package dev.orloj.server.backup;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;

import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

/**
 * A connection for statements on whole tables, which take longer than those of requests may.
 * Closing it undoes what is not committed.
 */
final class WholeDatabase implements AutoCloseable {

    /**
     * The client of a backup may be slow, and while it does not read, the database sends nothing:
     * its limit is that of the response, not one of this connection.
     */
    private static final String NO_LIMITS =
            "SET LOCAL statement_timeout = 0; SET LOCAL tcp_user_timeout = 0;"
                    + " SET LOCAL idle_in_transaction_session_timeout = 0";

    private final Connection connection;

    /**
     * @param direct opens a connection each time
     */
    WholeDatabase(DataSource direct) throws SQLException {
        connection = direct.getConnection();
        try {
            connection.setNetworkTimeout(Runnable::run, 0);
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Begins to read one state of the database, whatever is written meanwhile. */
    void beginSnapshot() throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setReadOnly(true);
        execute(NO_LIMITS);
    }

    void begin() throws SQLException {
        execute(NO_LIMITS);
    }

    void commit() throws SQLException {
        connection.commit();
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns the number of rows that were written. */
    long update(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeLargeUpdate(sql);
        }
    }

    JdbcClient jdbc() {
        return JdbcClient.create(new SingleConnectionDataSource(connection, true));
    }

    CopyManager copy() throws SQLException {
        return new CopyManager(connection.unwrap(BaseConnection.class));
    }

    /** Returns an error for clients, with the words of the database. */
    static ApiException failure(String what, SQLException cause) {
        ApiException failure =
                new ApiException(
                        ErrorReason.SERVICE_UNAVAILABLE,
                        "%s: %s".formatted(what, cause.getMessage()));
        failure.initCause(cause);
        return failure;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
