package dev.orloj.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A restore locks the tables in the order in which writers do, so that neither ends the other. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("22, item 1: locks of orlojctl admin restore")
class RestoreLocksTest {

    private static final String WAITS_FOR_A_TABLE =
            """
            SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'
               AND query LIKE 'LOCK TABLE % IN EXCLUSIVE MODE'\
            """;

    /** As each statement that writes to the table does. */
    private static final String LOCK_TABLE = "LOCK TABLE %s IN ROW EXCLUSIVE MODE";

    @TempDir static Path folder;

    private RunningOrlojd orlojd;
    private Path backup;

    @BeforeAll
    void start() {
        orlojd = RunningOrlojd.start();
        backup = folder.resolve("own.backup");
        CommandRun.of(orlojd, "admin", "backup", backup.toString()).expectSuccess();
    }

    @AfterAll
    void stop() {
        orlojd.close();
        orlojd.database().close();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private boolean isWaiting() {
        return orlojd.database().jdbc().sql(WAITS_FOR_A_TABLE).query(Long.class).single() > 0;
    }

    /**
     * A writer of the audit log or of a ledger locks its head, and then writes to the others. A
     * trigger looks for the key of a sealed value that is written.
     */
    @ParameterizedTest
    @CsvSource({
        "audit_head, audit_event",
        "tool_ledger, tool_ledger_entry",
        "tool_ledger, tool_ledger_content",
        "tool_ledger, tool_approval",
        "tool_ledger, definition_approval",
        "tool_ledger, served_definition",
        "tool_call, encryption_key",
        "signing_key, encryption_key"
    })
    void writerThatHoldsATableGoesOn(String held, String other) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection writer = orlojd.database().direct().getConnection()) {
            writer.setAutoCommit(false);
            execute(writer, LOCK_TABLE.formatted(held));
            Future<CommandRun> restore =
                    threads.submit(
                            () ->
                                    CommandRun.of(
                                            orlojd,
                                            "admin",
                                            "restore",
                                            backup.toString(),
                                            "--force"));
            await().atMost(Duration.ofSeconds(60)).until(this::isWaiting);

            execute(writer, LOCK_TABLE.formatted(other));
            writer.commit();

            assertThat(restore.get().expectSuccess().text()).isNotEmpty();
        }
    }
}
