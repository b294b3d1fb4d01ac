package dev.orloj.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

class OrlojdProcessTest {

    /** JUnit deletes the folder next, and fails the test when a file appears meanwhile. */
    @Test
    void afterCloseNoChildWritesBelowTheDataDirectoryAnyMore(@TempDir Path folder)
            throws Exception {
        List<ProcessHandle> children;
        try (OrlojdProcess orlojd = OrlojdProcess.start(folder)) {
            children = ProcessHandle.of(orlojd.pid()).orElseThrow().descendants().toList();
        }

        assertThat(children).isNotEmpty().noneMatch(ProcessHandle::isAlive);
    }
}
