package dev.orloj.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;

class ProcessFamilyTest {

    @Test
    void descendantsFollowTheirParents() throws IOException {
        Process shell =
                new ProcessBuilder("sh", "-c", "sh -c 'sleep 60 & echo $! $$; wait' & wait")
                        .start();
        try (BufferedReader output = shell.inputReader()) {
            String[] started = output.readLine().split(" ");
            long sleep = Long.parseLong(started[0]);
            long inner = Long.parseLong(started[1]);

            List<Long> family = ProcessFamily.of(shell.pid(), 10);

            assertThat(family).containsExactly(shell.pid(), inner, sleep);
            assertThat(ProcessFamily.of(shell.pid(), 2)).containsExactly(shell.pid(), inner);
        } finally {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
        }
    }

    @Test
    void aProcessThatDoesNotExistHasNoDescendants() {
        assertThat(ProcessFamily.of(Long.MAX_VALUE, 10)).containsExactly(Long.MAX_VALUE);
    }
}
