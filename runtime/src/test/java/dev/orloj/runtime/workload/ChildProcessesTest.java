package dev.orloj.runtime.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

@DisplayName("Issue 18: a child is found without a search through all processes")
class ChildProcessesTest {

    private static final ProcessHandle SELF = ProcessHandle.current();

    @TempDir Path proc;

    private Process parent;

    /** A shell that waits for its only child. */
    @BeforeEach
    void startParent() throws IOException {
        parent = new ProcessBuilder("sh", "-c", "cat; exit 0").start();
        parent.getOutputStream().write('\n');
        parent.getOutputStream().flush();
        assertThat(parent.getInputStream().read()).isEqualTo('\n');
    }

    @AfterEach
    void endParent() {
        parent.descendants().forEach(ProcessHandle::destroyForcibly);
        parent.destroyForcibly();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theListOfTheKernelNamesIt() {
        assertThat(ChildProcesses.OF_THIS_HOST.firstOf(parent.toHandle()))
                .isPresent()
                .isEqualTo(parent.children().findFirst());
    }

    @Test
    void theFirstOfTheListIsTaken() throws IOException {
        list(parent.pid(), SELF.pid() + " 1 ");

        assertThat(new ChildProcesses(proc).firstOf(parent.toHandle())).contains(SELF);
    }

    @Test
    void anEmptyListMeansNoChildYet() throws IOException {
        list(parent.pid(), "");

        assertThat(new ChildProcesses(proc).firstOf(parent.toHandle())).isEmpty();
    }

    @Test
    void aHostWithoutListsIsSearched() {
        assertThat(new ChildProcesses(proc).firstOf(parent.toHandle()))
                .isPresent()
                .isEqualTo(parent.children().findFirst());
    }

    @Test
    void aParentThatHasEndedHasNone() throws Exception {
        list(parent.pid(), SELF.pid() + " ");
        parent.getOutputStream().close();
        parent.waitFor();

        assertThat(new ChildProcesses(proc).firstOf(parent.toHandle())).isEmpty();
        assertThat(new ChildProcesses(proc.resolve("none")).firstOf(parent.toHandle())).isEmpty();
    }

    private void list(long pid, String children) throws IOException {
        Path folder = proc.resolve("%1$d/task/%1$d".formatted(pid));
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("children"), children);
    }
}
