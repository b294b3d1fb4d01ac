package dev.orloj.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;

@DisplayName("H-27: a full disk is reported as a full disk")
class FreeSpaceTest {

    private static final Path HERE = Path.of(".").toAbsolutePath();

    @Test
    void diskThatIsTooSmallIsRefusedBeforeAnythingIsWritten() {
        assertThatThrownBy(() -> FreeSpace.require(HERE, 64, "Unpacking", (64L << 20) - 1))
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessage(
                        "Unpacking needs 64 MiB in \"%s\" and 63 MiB are free: make room, choose another --data-dir, or give --database-url"
                                .formatted(HERE));
        assertThatCode(() -> FreeSpace.require(HERE, 64, "Unpacking", 64L << 20))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tar: x: Cannot write: No space left on device",
                "FATAL:  could not write lock file \"postmaster.pid\": No space left on device",
                "Disk quota exceeded"
            })
    void failureOfAProgramIsPutDownToTheDisk(String output) {
        assertThat(FreeSpace.explain(new EmbeddedPostgresException(output), HERE))
                .hasMessageStartingWith("the disk of \"" + HERE + "\" is full (")
                .hasMessageContaining("make room, choose another --data-dir");
    }

    @Test
    void otherFailuresStayAsTheyAre() {
        EmbeddedPostgresException other = new EmbeddedPostgresException("no such locale");

        assertThat(FreeSpace.explain(other, HERE)).isSameAs(other);
    }
}
