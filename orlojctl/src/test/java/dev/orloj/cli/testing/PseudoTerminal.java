package dev.orloj.cli.testing;

import dev.orloj.api.codec.Json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs a program in a terminal of its own, which Python makes. */
public final class PseudoTerminal {

    private static final int TIMEOUT_SECONDS = 180;

    private static final String SCRIPT =
            """
            import fcntl, json, os, pty, struct, subprocess, sys, termios
            columns, typed = int(sys.argv[1]), json.loads(sys.argv[2])
            master, slave = pty.openpty()
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
            def control():
                os.setsid()
                fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            child = subprocess.Popen(
                sys.argv[3:], stdin=slave, stdout=slave, stderr=slave, preexec_fn=control)
            os.close(slave)
            seen = b''
            try:
                while True:
                    data = os.read(master, 65536)
                    os.write(1, data)
                    seen += data
                    while typed and typed[0]['after'].encode() in seen:
                        seen = seen.split(typed[0]['after'].encode(), 1)[1]
                        os.write(master, typed.pop(0)['keys'].encode())
            except OSError:
                pass
            sys.exit(child.wait())
            """;

    private PseudoTerminal() {}

    /**
     * Keys that are pressed.
     *
     * @param after what is printed first
     */
    public record Typed(String after, String keys) {}

    /**
     * What the terminal got.
     *
     * @param printed with the carriage returns that the program printed, and none of the terminal
     */
    public record Ended(int exitCode, String printed) {}

    /** Runs a program until it ends. */
    public static Ended run(int columns, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        return run(columns, environment, List.of(), command);
    }

    /** Runs a program that reads keys until it ends. */
    public static Ended run(
            int columns, Map<String, String> environment, List<Typed> typed, List<String> command)
            throws IOException, InterruptedException {
        List<String> python = new ArrayList<>(List.of("python3", "-c", SCRIPT));
        python.add(String.valueOf(columns));
        python.add(Json.MAPPER.writeValueAsString(typed));
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
