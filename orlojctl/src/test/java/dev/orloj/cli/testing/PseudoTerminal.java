package dev.orloj.cli.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs a program in a terminal of its own, which Python makes. */
public final class PseudoTerminal {

    private static final int TIMEOUT_SECONDS = 60;

    private static final String SCRIPT =
            """
            import fcntl, os, pty, struct, subprocess, sys, termios
            master, slave = pty.openpty()
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, int(sys.argv[1]), 0, 0))
            child = subprocess.Popen(sys.argv[2:], stdin=slave, stdout=slave, stderr=slave)
            os.close(slave)
            try:
                while True:
                    os.write(1, os.read(master, 65536))
            except OSError:
                pass
            sys.exit(child.wait())
            """;

    private PseudoTerminal() {}

    /**
     * What the terminal got.
     *
     * @param printed with the carriage returns that the program printed, and none of the terminal
     */
    public record Ended(int exitCode, String printed) {}

    /** Runs a program until it ends. */
    public static Ended run(int columns, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        List<String> python = new ArrayList<>(List.of("python3", "-c", SCRIPT));
        python.add(String.valueOf(columns));
        python.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(python).redirectErrorStream(true);
        builder.environment().remove("COLUMNS");
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        CompletableFuture<Void> timeout =
                CompletableFuture.runAsync(
                        () -> end(process),
                        CompletableFuture.delayedExecutor(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        try {
            byte[] printed = process.getInputStream().readAllBytes();
            return new Ended(
                    process.waitFor(),
                    new String(printed, StandardCharsets.UTF_8).replace("\r\n", "\n"));
        } finally {
            timeout.cancel(false);
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
