package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.orloj.server.testing.OrlojdProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

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
}
