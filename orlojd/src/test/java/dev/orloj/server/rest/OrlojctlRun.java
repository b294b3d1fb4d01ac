package dev.orloj.server.rest;

import dev.orloj.cli.Orlojctl;
import dev.orloj.cli.output.Console;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;

/** What a command line printed that was run before an orlojd, and its exit code. */
record OrlojctlRun(int exitCode, String out, String err) {

    static OrlojctlRun of(int port, String stdin, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console =
                new Console(
                        new ByteArrayInputStream(stdin.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, false, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        Map.of("ORLOJ_SERVER", "http://127.0.0.1:" + port),
                        InstantSource.system());
        int exitCode = Orlojctl.run(console, arguments);
        console.out().flush();
        return new OrlojctlRun(
                exitCode,
                out.toString(StandardCharsets.UTF_8),
                err.toString(StandardCharsets.UTF_8));
    }
}
