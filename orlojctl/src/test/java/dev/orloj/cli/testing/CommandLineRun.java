package dev.orloj.cli.testing;

import dev.orloj.cli.Orlojctl;
import dev.orloj.cli.output.Console;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;

/** What one command line printed, and its exit code. */
public record CommandLineRun(int exitCode, String out, String err) {

    /** Runs a command line. */
    public static CommandLineRun of(
            InstantSource clock, Map<String, String> environment, String stdin, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console =
                new Console(
                        new ByteArrayInputStream(stdin.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, false, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        environment,
                        clock);
        int exitCode = Orlojctl.run(console, args);
        console.out().flush();
        return new CommandLineRun(
                exitCode,
                out.toString(StandardCharsets.UTF_8),
                err.toString(StandardCharsets.UTF_8));
    }
}
