package dev.orloj.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;

import dev.orloj.server.postgres.EmbeddedPostgres;
import dev.orloj.server.store.PostgresStore;
import dev.orloj.server.store.key.KeySource;
import dev.orloj.server.store.key.StoredKeys;
import dev.orloj.server.store.table.SecretCipher;
import dev.orloj.server.store.table.StoreSettings;

import org.flywaydb.core.Flyway;
import org.postgresql.PGProperty;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import java.util.Properties;

import javax.sql.DataSource;

/**
 * The embedded PostgreSQL with the product's schema and a store on it. Durable as in production;
 * all contestants of a benchmark share it.
 */
public final class Database implements AutoCloseable {

    /** The name of the connections of the pool in PostgreSQL. */
    public static final String APPLICATION = "benchmark";

    private static final int POOL_SIZE = 16;

    private final Path folder;
    private final EmbeddedPostgres postgres;
    private final HikariDataSource pool = new HikariDataSource();
    private final SecretCipher cipher;
    private final PostgresStore store;

    private Database(Path folder, EmbeddedPostgres postgres) throws IOException {
        this.folder = folder;
        this.postgres = postgres;
        pool.setJdbcUrl(postgres.jdbcUrl());
        pool.setUsername(postgres.user());
        pool.setPassword(postgres.password());
        pool.setMaximumPoolSize(POOL_SIZE);
        pool.addDataSourceProperty(PGProperty.APPLICATION_NAME.getName(), APPLICATION);
        Flyway.configure().dataSource(pool).load().migrate();
        this.cipher = new SecretCipher(StoredKeys.open(pool, KeySource.of("", "", "", folder)));
        this.store =
                new PostgresStore(
                        pool,
                        new DriverManagerDataSource(
                                postgres.jdbcUrl(), postgres.user(), postgres.password()),
                        cipher,
                        StoreSettings.DEFAULTS,
                        InstantSource.system());
        store.start();
    }

    /** Creates a database in an empty folder and starts it. */
    public static Database create(Path folder) throws IOException, InterruptedException {
        return start(folder, new EmbeddedPostgres(folder.resolve("postgres")));
    }

    /** Creates one for more clients than a single orlojd and a driver. */
    public static Database create(Path folder, int maxConnections)
            throws IOException, InterruptedException {
        return start(
                folder,
                new EmbeddedPostgres(folder.resolve("postgres"), maxConnections, step -> {}));
    }

    private static Database start(Path folder, EmbeddedPostgres postgres)
            throws IOException, InterruptedException {
        postgres.start();
        try {
            return new Database(folder, postgres);
        } catch (IOException | RuntimeException e) {
            postgres.close();
            throw e;
        }
    }

    public PostgresStore store() {
        return store;
    }

    /** The pool of connections that the store uses. */
    public DataSource dataSource() {
        return pool;
    }

    /** Where it listens; connections take the other properties from {@link #properties}. */
    public String url() {
        return postgres.jdbcUrl();
    }

    /** User and password, to which a client adds properties of its own. */
    public Properties properties() {
        Properties properties = new Properties();
        PGProperty.USER.set(properties, postgres.user());
        PGProperty.PASSWORD.set(properties, postgres.password());
        return properties;
    }

    /** The cipher of every store on this database. */
    public SecretCipher cipher() {
        return cipher;
    }

    /** What autovacuum does in the course of a minute, so that a benchmark does not wait for it. */
    public void vacuum() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("VACUUM ANALYZE");
        }
    }

    /** A connection of its own, outside of the pool. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(
                postgres.jdbcUrl(), postgres.user(), postgres.password());
    }

    /** The options that make an orlojd use this database, with the same key for secrets. */
    public List<String> options() throws IOException {
        Path password = folder.resolve("password");
        Files.writeString(password, postgres.password());
        return List.of(
                "--database-url", postgres.jdbcUrl(),
                "--database-user", postgres.user(),
                "--database-password-file", password.toString(),
                "--secret-key-file", folder.resolve("secret.key").toString());
    }

    @Override
    public void close() {
        store.close();
        pool.close();
        postgres.close();
    }
}
