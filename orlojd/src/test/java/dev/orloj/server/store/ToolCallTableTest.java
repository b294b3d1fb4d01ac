package dev.orloj.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.postgres.TestPostgres;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

class ToolCallTableTest {

    /** Every replica sweeps every few seconds, however many answers are kept. */
    @Test
    void sweepFindsOldAnswersByIndex() throws SQLException {
        try (Connection connection = TestPostgres.freshDatabase().pool().getConnection()) {
            SingleConnectionDataSource one = new SingleConnectionDataSource(connection, true);
            // The table is empty: a scan of nothing would be the cheapest.
            new JdbcTemplate(one).execute("SET enable_seqscan = off");
            List<String> plan =
                    JdbcClient.create(one)
                            .sql("EXPLAIN " + ToolCallTable.SWEEP)
                            .param(3600.0)
                            .param(10)
                            .query(String.class)
                            .list();

            assertThat(plan).anyMatch(line -> line.contains("Index Cond: (ended_at <"));
        }
    }
}
