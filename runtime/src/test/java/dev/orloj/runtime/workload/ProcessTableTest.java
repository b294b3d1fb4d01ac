package dev.orloj.runtime.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

class ProcessTableTest {

    @TempDir Path proc;

    private void process(long pid, long parent, String name, String times, long kilobytes)
            throws IOException {
        Path folder = Files.createDirectories(proc.resolve(Long.toString(pid)));
        Files.writeString(
                folder.resolve("stat"),
                "%d (%s) S %d 1 1 0 -1 4194304 100 0 0 0 %s 20 0 1 0 100 1000 10\n"
                        .formatted(pid, name, parent, times));
        Files.writeString(
                folder.resolve("status"),
                "Name:\t%s\nVmHWM:\t 999999 kB\nVmRSS:\t   %d kB\n".formatted(name, kilobytes));
    }

    @Test
    void usageCountsDescendantsAndEndedChildren() throws IOException {
        process(10, 1, "npx", "100 20 3 4", 1000);
        process(11, 10, "node) S 1 (x", "50 0 0 0", 500);
        process(12, 11, "worker", "7 0 0 0", 24);
        process(13, 1, "other", "900 900 900 900", 9000);

        assertThat(ProcessTable.read(proc).usage(10))
                .contains(new ProcessUsage(3, 1524 * 1024, Duration.ofMillis(1840)));
    }

    private void mark(long pid, String marker) throws IOException {
        Files.writeString(
                proc.resolve(Long.toString(pid)).resolve("environ"),
                "PATH=/bin\0" + ProcessMarker.VARIABLE + "=" + marker + "\0");
    }

    @Test
    void usageCountsWhatHasLeftTheProcessAndCarriesItsMark() throws IOException {
        process(10, 1, "npx", "0 0 0 0", 1000);
        process(11, 10, "node", "0 0 0 0", 100);
        process(12, 1, "detached", "0 0 0 0", 20);
        process(13, 12, "wiped", "0 0 0 0", 3);
        process(14, 1, "of another child", "0 0 0 0", 9000);
        for (long pid : List.of(10L, 11L, 12L)) {
            mark(pid, "replica/7-8/1");
        }
        mark(14, "replica/7-8/2");

        assertThat(ProcessTable.read(proc).usage(10))
                .contains(new ProcessUsage(4, 1123 * 1024, Duration.ZERO));
    }

    @Test
    void processThatIsGoneHasNoUsage() throws IOException {
        process(10, 1, "npx", "1 0 0 0", 10);
        Files.createDirectories(proc.resolve("11"));

        assertThat(ProcessTable.read(proc).usage(11)).isEmpty();
        assertThat(ProcessTable.read(proc.resolve("none")).usage(10)).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thisProcessTakesMemoryAndTime() {
        ProcessUsage usage = ProcessTable.read().usage(ProcessHandle.current().pid()).orElseThrow();

        assertThat(usage.processes()).isPositive();
        assertThat(usage.residentBytes()).isGreaterThan(10_000_000);
        assertThat(usage.cpu()).isPositive();
    }
}
