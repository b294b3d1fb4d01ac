package dev.orloj.runtime.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class ConfinementInitTest {

    private static final String AUTOGROUP = "/proc/self/autogroup";

    /** Starts a program that the init runs in a session of its own. */
    private static Process start(String... program) throws IOException {
        List<String> command = new ArrayList<>(List.of("setsid"));
        command.addAll(Confinement.INIT);
        command.addAll(List.of(program));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** Returns the output and the errors of the program. */
    private static String run(String... program) throws IOException {
        return new String(start(program).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void serverHasALowerPriorityThanOrlojdWhereSessionsShareTheProcessors() {
        String expected = Files.exists(Path.of(AUTOGROUP)) ? "nice 5" : "none";

        // Linux lets users other than root change it ten times per second, all together.
        await().until(
                        () -> run("sh", "-c", "cat " + AUTOGROUP + " 2>/dev/null || echo none"),
                        output -> output.strip().endsWith(expected));
    }

    @Test
    void initWritesNothingAndPassesTheExitCodeOn() throws Exception {
        assertThat(run("printf", "%s|", "a b", "$HOME")).isEqualTo("a b|$HOME|");

        assertThat(start("sh", "-c", "exit 7").waitFor()).isEqualTo(7);
    }
}
