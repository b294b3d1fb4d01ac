package dev.orloj.server.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class PostgresLeaderElectorTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @Test
    void oneOfTwoLeadsAndTheOtherTakesOver() throws Exception {
        try (TestPostgres.Database database = TestPostgres.freshDatabase();
                PostgresLeaderElector first = new PostgresLeaderElector(database.direct());
                PostgresLeaderElector second = new PostgresLeaderElector(database.direct())) {
            first.start();
            await().atMost(TIMEOUT).until(first::isLeading);
            second.start();

            assertThat(second.isLeading()).isFalse();
            first.close();
            await().atMost(TIMEOUT).until(second::isLeading);
            assertThat(first.isLeading()).isFalse();
        }
    }

    @Test
    void whoLosesTheConnectionLosesTheLeadAndGetsItBack() throws Exception {
        try (TestPostgres.Database database = TestPostgres.freshDatabase();
                PostgresLeaderElector elector = new PostgresLeaderElector(database.direct())) {
            elector.start();
            elector.awaitLeadership();

            database.jdbc()
                    .sql(
                            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype ="
                                + " 'advisory' AND database = (SELECT oid FROM pg_database WHERE"
                                + " datname = current_database())")
                    .query()
                    .listOfRows();

            await().atMost(TIMEOUT).until(() -> !elector.isLeading());
            await().atMost(TIMEOUT).until(elector::isLeading);
        }
    }
}
