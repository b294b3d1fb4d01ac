package dev.orloj.server.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.flywaydb.core.Flyway;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The PostgreSQL of a test JVM: one server below {@code target}, and a fresh, migrated database for
 * each test that asks.
 */
public final class TestPostgres {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    /** The least that Hikari accepts. */
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(10);

    private TestPostgres() {}

    /** Started with the first database. */
    private static final class Server {

        static final EmbeddedPostgres INSTANCE = start();

        private static EmbeddedPostgres start() {
            Path directory = Path.of("target", "test-postgres").toAbsolutePath();
            try {
                forgetData(Files.createDirectories(directory));
                EmbeddedPostgres postgres = new EmbeddedPostgres(directory);
                postgres.start();
                Runtime.getRuntime().addShutdownHook(new Thread(postgres::close));
                return postgres;
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Making new data is quicker than dropping what many tests have left. */
        private static void forgetData(Path directory) throws IOException, InterruptedException {
            Path data = directory.resolve("data");
            try (DirectoryLock lock = DirectoryLock.acquire(directory)) {
                Postmaster.awaitNoneOn(data);
                PostgresBinaries.deleteTree(data);
            }
        }
    }

    /** A database with the schema in place and nothing in it. */
    public static Database freshDatabase() {
        return migrated(emptyDatabase());
    }

    static Database migrated(Database database) {
        Flyway.configure().dataSource(database.direct()).load().migrate();
        return database;
    }

    /** A database without a schema. */
    public static Database emptyDatabase() {
        return create(name -> dataSource(Server.INSTANCE, name));
    }

    /**
     * @param server connects to a database of a server, by its name
     */
    static Database create(Function<String, PGSimpleDataSource> server) {
        String name = "test_" + DATABASES.incrementAndGet();
        JdbcClient.create(server.apply("postgres")).sql("CREATE DATABASE " + name).update();
        PGSimpleDataSource direct = server.apply(name);
        HikariConfig config = new HikariConfig();
        config.setDataSource(direct);
        config.setMaximumPoolSize(12);
        // Many tests leave their database open: they share the connections of one server.
        config.setMinimumIdle(0);
        config.setIdleTimeout(IDLE_TIMEOUT.toMillis());
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
