package dev.orloj.runtime.workload;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds the first child of a process: on Linux by the one file of {@code /proc} that lists it. On a
 * host without that file, by a search through all processes. Stateless.
 */
final class ChildProcesses {

    static final ChildProcesses OF_THIS_HOST = new ChildProcesses(Path.of("/proc"));

    private final Path proc;

    ChildProcesses(Path proc) {
        this.proc = proc;
    }

    /**
     * Returns the first child. The kernel lists children in the order in which the process got
     * them, so adopted orphans come later. Only a process with one thread is seen in full, because
     * each thread has a list of its own; the programs that start a server have one.
     */
    Optional<ProcessHandle> firstOf(ProcessHandle parent) {
        Path list = proc.resolve("%1$d/task/%1$d/children".formatted(parent.pid()));
        try {
            Optional<ProcessHandle> first =
                    first(Files.readString(list, StandardCharsets.ISO_8859_1))
                            .flatMap(ProcessHandle::of);
            // Of a parent that has ended, the pid may belong to another process.
            return first.filter(_ -> parent.isAlive());
        } catch (IOException e) {
            // The process has ended, or the kernel has no such file.
            return parent.isAlive() ? parent.children().findFirst() : Optional.empty();
        }
    }

    private static Optional<Long> first(String pids) {
        int end = pids.indexOf(' ');
        return end <= 0 ? Optional.empty() : Optional.of(Long.valueOf(pids.substring(0, end)));
    }
}
