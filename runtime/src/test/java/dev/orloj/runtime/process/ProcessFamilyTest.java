package dev.orloj.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** A thread that ends meanwhile has no list any more. */
    @Test
    void childrenOfOtherThreadsAreFoundBesideAThreadThatHasEnded(@TempDir Path proc)
            throws IOException {
        for (int thread = 1; thread <= 9; thread++) {
            Path folder = Files.createDirectories(proc.resolve("1/task/" + thread));
            if (thread % 2 == 0) {
                Files.writeString(folder.resolve("children"), "2%d 3%1$d ".formatted(thread));
            }
        }

        assertThat(ProcessFamily.of(proc, 1, 100))
                .containsExactlyInAnyOrder(1L, 22L, 32L, 24L, 34L, 26L, 36L, 28L, 38L);
    }

    @Test
    void aProcessThatDoesNotExistHasNoDescendants() {
        assertThat(ProcessFamily.of(Long.MAX_VALUE, 10)).containsExactly(Long.MAX_VALUE);
    }
}
