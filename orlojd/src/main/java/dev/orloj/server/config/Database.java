package dev.orloj.server.config;

import dev.orloj.server.postgres.EmbeddedPostgres;

import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

import java.time.Duration;

import javax.sql.DataSource;

/**
 * Where the database is, and how to stop it when it is ours.
 *
 * @param user null when the URL names it
 * @param password null when there is none, or the URL holds it
 * @param socketTimeout how long it may say nothing while something waits for it, unless the URL
 *     says that; zero for any time
 */
record Database(
        String url,
        @Nullable String user,
        @Nullable String password,
        Duration socketTimeout,
        Runnable stop)
        implements AutoCloseable {

    static Database embedded(EmbeddedPostgres postgres, DatabaseProperties properties) {
        return new Database(
                postgres.jdbcUrl(),
                postgres.user(),
                postgres.password(),
                properties.socketTimeout(),
                postgres::close);
    }

    static Database of(DatabaseProperties properties) {
        String url = properties.url();
        if (url == null) {
            throw new IllegalArgumentException("no orloj.database.url");
        }
        return new Database(
                url,
                properties.user(),
                properties.password(),
                properties.socketTimeout(),
                () -> {});
    }

    /** Opens a new connection each time, for what must have one of its own. */
    DataSource direct() {
        PGSimpleDataSource direct = new PGSimpleDataSource();
        direct.setUrl(url);
        if (user != null) {
            direct.setUser(user);
        }
        if (password != null) {
            direct.setPassword(password);
        }
        direct.setApplicationName("orlojd");
        direct.setTcpKeepAlive(true);
        if (direct.getSocketTimeout() == 0) {
            direct.setSocketTimeout((int) socketTimeout.toSeconds());
        }
        return direct;
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
