package dev.orloj.server.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.flywaydb.core.Flyway;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The PostgreSQL of a test JVM: one server below {@code target}, kept between runs to save the time
 * of making it, and a fresh, migrated database for whoever asks.
 */
public final class TestPostgres {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private TestPostgres() {}

    /** Started with the first database. */
    private static final class Server {

        static final EmbeddedPostgres INSTANCE = start();

        private static EmbeddedPostgres start() {
            EmbeddedPostgres postgres =
                    new EmbeddedPostgres(Path.of("target", "test-postgres").toAbsolutePath());
            try {
                postgres.start();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            Runtime.getRuntime().addShutdownHook(new Thread(postgres::close));
            JdbcClient jdbc = JdbcClient.create(dataSource(postgres, "postgres"));
            jdbc.sql("SELECT datname FROM pg_database WHERE datname LIKE 'test_%'")
                    .query(String.class)
                    .list()
                    .forEach(name -> jdbc.sql("DROP DATABASE " + name).update());
            return postgres;
        }
    }

    /** A database with the schema in place and nothing in it. */
    public static Database freshDatabase() {
        String name = "test_" + DATABASES.incrementAndGet();
        JdbcClient.create(dataSource(Server.INSTANCE, "postgres"))
                .sql("CREATE DATABASE " + name)
                .update();
        PGSimpleDataSource direct = dataSource(Server.INSTANCE, name);
        Flyway.configure().dataSource(direct).load().migrate();
        HikariConfig config = new HikariConfig();
        config.setDataSource(direct);
        config.setMaximumPoolSize(12);
        config.setMinimumIdle(1);
        return new Database(new HikariDataSource(config), direct);
    }

    private static PGSimpleDataSource dataSource(EmbeddedPostgres postgres, String database) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(postgres.jdbcUrl());
        dataSource.setDatabaseName(database);
        dataSource.setUser(postgres.user());
        dataSource.setPassword(postgres.password());
        return dataSource;
    }

    /**
     * @param pool for everything
     * @param direct opens a connection each time
     */
    public record Database(HikariDataSource pool, PGSimpleDataSource direct)
            implements AutoCloseable {

        public JdbcClient jdbc() {
            return JdbcClient.create(pool);
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}
