package dev.orloj.server.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.startup.StartupFailure;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Map;

/** An orlojd on the database of one that has further migrations. */
@DisplayName("22, item 1: a newer database is refused with words")
class NewerDatabaseTest {

    private final TestPostgres.Database database = TestPostgres.freshDatabase();

    @AfterEach
    void drop() {
        database.close();
    }

    private void migrated(int version, String description) {
        database.jdbc()
                .sql(
                        """
                        INSERT INTO flyway_schema_history (installed_rank, version, description,
                               type, script, checksum, installed_by, execution_time, success)
                        VALUES (:version, :version::text, :description, 'SQL', 'x.sql', 1, 'orloj',
                                1, true)
                        """)
                .param("version", version)
                .param("description", description)
                .update();
    }

    private int newest() {
        return database.jdbc()
                .sql("SELECT max(version::int) FROM flyway_schema_history")
                .query(Integer.class)
                .single();
    }

    private void assertRefused(int found, int known) {
        Throwable failure = catchThrowable(() -> RunningOrlojd.start(database, Map.of()).close());

        assertThat(failure).isNotNull();
        StartupFailure explained = StartupFailure.of(failure);
        assertThat(explained.unforeseen()).isNull();
        assertThat(explained.message())
                .startsWith(
                        "the database has version %d, and this orlojd knows version %d:"
                                .formatted(found, known))
                .contains("start the newer orlojd", "restore a backup");
        assertThat(newest()).isEqualTo(found);
    }

    @Test
    void newerDatabaseIsRefusedWithBothVersions() {
        int known = newest();
        migrated(known + 1, "changed meaning");

        assertRefused(known + 1, known);
    }

    @Test
    void migrationsThatAllowThisVersionDoNotHinderIt() {
        int known = newest();
        migrated(known + 1, "further index beside V" + known);
        migrated(known + 2, "further table beside V" + (known - 1));

        try (RunningOrlojd orlojd = RunningOrlojd.start(database, Map.of())) {
            assertThat(orlojd.client().get("/api/v1/namespaces/default").code()).isEqualTo(200);
        }
    }

    @Test
    void oneThatAllowsLaterVersionsOnlyIsRefused() {
        int known = newest();
        migrated(known + 1, "changed meaning");
        migrated(known + 2, "further table beside V" + (known + 1));

        assertRefused(known + 2, known);
    }
}
