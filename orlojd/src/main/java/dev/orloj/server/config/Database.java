package dev.orloj.server.config;

import dev.orloj.server.postgres.EmbeddedPostgres;
import dev.orloj.server.properties.DatabaseProperties;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.time.Duration;
import java.util.Properties;

import javax.sql.DataSource;

/**
 * The address of the database, and how to release it.
 *
 * @param user null when the URL names it
 * @param password null when there is none, or the URL holds it
 * @param socketTimeout limit of the time without a response; zero to wait for ever
 */
record Database(
        String url,
        @Nullable String user,
        @Nullable String password,
        Duration socketTimeout,
        Runnable stop)
        implements AutoCloseable {

    /**
     * Makes PostgreSQL check this end of a connection, too: for a host that loses its power or its
     * network it would keep the locks for two more hours.
     */
    private static final String LOOK_AFTER_CLIENT =
            "-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"
                    + " -c tcp_user_timeout=10000";

    static Database embedded(EmbeddedPostgres postgres, DatabaseProperties properties) {
        return new Database(
                postgres.jdbcUrl(),
                postgres.user(),
                postgres.password(),
                properties.socketTimeout(),
                postgres::close);
    }

    static Database of(DatabaseProperties properties, Runnable stop) {
        String url = properties.url();
        if (url == null) {
            throw new IllegalArgumentException("no orloj.database.url");
        }
        return new Database(
                url, properties.user(), properties.password(), properties.socketTimeout(), stop);
    }

    /** Defaults of every connection, unless the URL sets something else. */
    Properties connectionProperties() {
        Properties properties = new Properties();
        if (user != null) {
            PGProperty.USER.set(properties, user);
        }
        if (password != null) {
            PGProperty.PASSWORD.set(properties, password);
        }
        PGProperty.APPLICATION_NAME.set(properties, "orlojd");
        PGProperty.TCP_KEEP_ALIVE.set(properties, true);
        PGProperty.SOCKET_TIMEOUT.set(properties, (int) socketTimeout.toSeconds());
        // Leaves the database time to report that a statement took too long, and did nothing.
        long statementMillis = socketTimeout.toMillis() * 9 / 10;
        PGProperty.OPTIONS.set(
                properties, LOOK_AFTER_CLIENT + " -c statement_timeout=" + statementMillis);
        return properties;
    }

    /** Opens a new connection each time, for code that needs one of its own. */
    DataSource direct() {
        return new DriverManagerDataSource(url, connectionProperties());
    }

    @Override
    public void close() {
        stop.run();
    }

    @Override
    public String toString() {
        return "Database[" + url.replaceAll("password=[^&]*", "password=***") + "]";
    }
}
