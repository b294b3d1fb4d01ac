package dev.orloj.benchmarks.ctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Map;

@DisplayName("20: the processor time of a command is that of its whole process")
class RepeatedCommandTest {

    @Test
    void timesOfTheChildrenAreRead() {
        assertThat(RepeatedCommand.ofChildren("0m1.000000s 0m1.000000s\n1m0.250000s 0m0.500s\n"))
                .isEqualTo(60_750);
    }

    @Test
    void commandRunsAsOftenAsItShould() throws Exception {
        Map<String, Double> values =
                RepeatedCommand.of(Map.of("A", "b"), Path.of("/bin/sh"), "-c", "[ $A = b ]").run(3);

        assertThat(values).containsOnlyKeys(RepeatedCommand.WALL, RepeatedCommand.CPU);
        assertThat(values.get(RepeatedCommand.WALL)).isPositive();
    }

    @Test
    void failureIsNoResult() {
        RepeatedCommand failing =
                RepeatedCommand.of(Map.of(), Path.of("/bin/sh"), "-c", "echo why >&2; exit 3");

        assertThatThrownBy(() -> failing.run(2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("why");
    }
}
