package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.orloj.server.config.InvalidConfigurationException;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.Map;

@Timeout(300)
class FailedStartTest {

    @TempDir private Path directory;

    /** A line of the web server's own before it looked like another failure. */
    @Test
    void secondOrlojdOnADirectorySaysWhyInOneLine() throws Exception {
        try (OrlojdProcess first = OrlojdProcess.start(directory)) {
            Throwable failure = catchThrowable(() -> OrlojdProcess.start(directory));

            assertThat(failure.getMessage().strip().lines())
                    .singleElement()
                    .asString()
                    .startsWith("orlojd did not start: orlojd: Data directory")
                    .contains("in use by orlojd with pid " + first.pid());
        }
    }

    /** The name of the replica is in the directory: two of one name take each other for one. */
    @Test
    void directoryIsForOneOrlojdAlsoWithADatabaseOfTheOperator() throws Exception {
        try (TestPostgres.Database database = TestPostgres.freshDatabase();
                RunningOrlojd _ =
                        RunningOrlojd.start(database, Map.of("orloj.data-dir", directory))) {
            Throwable failure =
                    catchThrowable(
                            () ->
                                    OrlojdProcess.start(
                                            directory,
                                            "--database-url",
                                            RunningOrlojd.url(database.direct())));

            assertThat(failure.getMessage().strip().lines())
                    .singleElement()
                    .asString()
                    .startsWith("orlojd did not start: orlojd: Data directory")
                    .contains("in use by orlojd with pid " + ProcessHandle.current().pid());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", ""})
    void addressThatOthersReachNeedsASecondWordWhereverItComesFrom(String address) {
        try (TestPostgres.Database database = TestPostgres.freshDatabase()) {
            assertThatThrownBy(
                            () -> RunningOrlojd.start(database, Map.of("server.address", address)))
                    .rootCause()
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageContaining("server.address", address, "insecure-remote-access");
        }
    }
}
