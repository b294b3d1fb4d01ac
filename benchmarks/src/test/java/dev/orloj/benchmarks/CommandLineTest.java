package dev.orloj.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.benchmarks.suite.Effort;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;

class CommandLineTest {

    @Test
    void namesAndOptionsMayBeMixed() {
        CommandLine line =
                CommandLine.parse("call", "--quick", "--jvm", " -Xmx1g  -Xint ", "store");

        assertThat(line.names()).containsExactly("call", "store");
        assertThat(line.effort()).isEqualTo(Effort.QUICK);
        assertThat(line.jvmFlags()).containsExactly("-Xmx1g", "-Xint");
    }

    @Test
    void defaultsAreThoroughAndRunAllWithTheFlagsOfTheLauncher() {
        CommandLine line = CommandLine.parse();

        assertThat(line.names()).isEmpty();
        assertThat(line.effort()).isEqualTo(Effort.FULL);
        assertThat(line.jvmFlags()).contains("-XX:+UseG1GC");
        assertThat(line.results()).isEqualTo(Path.of("benchmarks/target/results"));
    }

    @Test
    void whatIsNotUnderstoodIsNamed() {
        assertThatThrownBy(() -> CommandLine.parse("--fast")).hasMessageContaining("\"--fast\"");
        assertThatThrownBy(() -> CommandLine.parse("--jvm")).hasMessage("--jvm needs a value");
    }

    /** 18 */
    @Test
    void compareTakesTwoCommitsAndThenNames() {
        CommandLine line = CommandLine.parse("compare", "main", "HEAD", "--rounds", "7", "call");

        assertThat(line.compare()).containsExactly("main", "HEAD");
        assertThat(line.names()).containsExactly("call");
        assertThat(line.rounds()).isEqualTo(7);
        assertThat(CommandLine.parse("call").compare()).isEmpty();
        assertThatThrownBy(() -> CommandLine.parse("compare", "main"))
                .hasMessage("compare needs two commits");
        assertThatThrownBy(() -> CommandLine.parse("compare", "a", "b", "--rounds", "1"))
                .hasMessageContaining("from 4 to 99");
    }
}
