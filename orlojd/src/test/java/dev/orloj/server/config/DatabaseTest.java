package dev.orloj.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.properties.DatabaseProperties;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** What is agreed on with PostgreSQL for each connection. */
class DatabaseTest {

    private static Database at(String url) {
        return Database.of(
                new DatabaseProperties(url, null, null, 2, Duration.ofSeconds(20)), () -> {});
    }

    private static int timeoutMillis(Database database) throws SQLException {
        try (Connection connection = database.direct().getConnection()) {
            return connection.getNetworkTimeout();
        }
    }

    private static String setting(Database database, String name) {
        return JdbcClient.create(database.direct())
                .sql("SHOW " + name)
                .query(String.class)
                .single();
    }

    @Test
    void databaseGivesAStatementUpBeforeItsConnectionIsTakenForGone() throws Exception {
        try (TestPostgres.Database postgres = TestPostgres.freshDatabase()) {
            Database database = at(RunningOrlojd.url(postgres.direct()));

            assertThat(timeoutMillis(database)).isEqualTo(20_000);
            assertThat(setting(database, "statement_timeout")).isEqualTo("18s");
            assertThat(setting(database, "tcp_keepalives_idle")).isEqualTo("4");
        }
    }

    @Test
    void whatTheUrlSaysGoesBefore() throws Exception {
        try (TestPostgres.Database postgres = TestPostgres.freshDatabase()) {
            Database database =
                    at(
                            RunningOrlojd.url(postgres.direct())
                                    + "&socketTimeout=0&options=-c%20statement_timeout=7s");

            assertThat(timeoutMillis(database)).isZero();
            assertThat(setting(database, "statement_timeout")).isEqualTo("7s");
        }
    }
}
