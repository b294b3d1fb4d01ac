package dev.orloj.server.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;

class PostgresLeaderElectorTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void oneOfTwoLeadsAndTheOtherTakesOver() throws Exception {
        try (TestPostgres.Database database = TestPostgres.freshDatabase();
                PostgresLeaderElector first = new PostgresLeaderElector(database.direct());
                PostgresLeaderElector second = new PostgresLeaderElector(database.direct())) {
            first.start();
            await().atMost(PATIENCE).until(first::isLeading);
            second.start();

            assertThat(second.isLeading()).isFalse();
            first.close();
            await().atMost(PATIENCE).until(second::isLeading);
            assertThat(first.isLeading()).isFalse();
        }
    }

    /** Linux tells of the timers of a socket in the sixth column of /proc/net/tcp. */
    @Test
    void databaseLooksEveryFewSecondsWhetherTheHostOfTheLeaderIsThere() throws Exception {
        try (TestPostgres.Database database = TestPostgres.freshDatabase();
                PostgresLeaderElector elector = new PostgresLeaderElector(database.direct())) {
            elector.start();
            elector.awaitLeadership();

            int port = database.direct().getPortNumbers()[0];
            int leader =
                    database.jdbc()
                            .sql(
                                    "SELECT client_port FROM pg_stat_activity JOIN pg_locks USING"
                                            + " (pid) WHERE locktype = 'advisory' AND datname ="
                                            + " current_database()")
                            .query(Integer.class)
                            .single();
            Pattern ends =
                    Pattern.compile(" [0-9A-F]+:%04X [0-9A-F]+:%04X ".formatted(port, leader));
            // Right after an answer, the timer is that of its acknowledgement.
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () ->
                                    assertThat(Files.readAllLines(Path.of("/proc/net/tcp")))
                                            .filteredOn(line -> ends.matcher(line).find())
                                            .singleElement()
                                            .extracting(line -> line.strip().split("\\s+")[5])
                                            .asString() // keepalive, in less than 5.12 seconds
                                            .matches("02:00000[01][0-9A-F]{2}"));
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

            await().atMost(PATIENCE).until(() -> !elector.isLeading());
            await().atMost(PATIENCE).until(elector::isLeading);
        }
    }
}
