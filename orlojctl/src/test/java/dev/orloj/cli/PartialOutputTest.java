package dev.orloj.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.output.Console;

import org.junit.jupiter.api.Test;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A command that is interrupted has printed what it did until then. */
class PartialOutputTest extends CommandTest {

    private static final String MANIFESTS =
            """
            apiVersion: v1
            kind: Secret
            metadata: {name: creds}
            data: {value: "c2VjcmV0"}
            ---
            apiVersion: orloj.dev/v1
            kind: McpServer
            metadata: {name: everything}
            spec: {transport: stdio, command: npx}
            """;

    private final List<String> seen = new ArrayList<>();

    /** Notes how many writing requests there were when each part of the output left the process. */
    private void run(String... args) {
        OutputStream terminal =
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        throw new AssertionError("it is buffered");
                    }

                    @Override
                    public void write(byte[] bytes, int start, int length) {
                        long writes =
                                orlojd.requests().stream()
                                        .filter(request -> request.matches("(PATCH|DELETE) .*"))
                                        .count();
                        seen.add(
                                writes
                                        + " "
                                        + new String(bytes, start, length, StandardCharsets.UTF_8));
                    }
                };
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        Console console =
                new Console(
                        new ByteArrayInputStream(MANIFESTS.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(
                                new BufferedOutputStream(terminal), false, StandardCharsets.UTF_8),
                        new PrintStream(errors, true, StandardCharsets.UTF_8),
                        Map.of("ORLOJCTL_SERVER", orlojd.url()),
                        clock);
        int exitCode = Orlojctl.run(console, args);
        assertThat(exitCode).as(errors.toString(StandardCharsets.UTF_8)).isZero();
    }

    @Test
    void appliedResourcesArePrintedAtOnce() {
        run("apply", "-f", "-");

        assertThat(seen)
                .containsExactly(
                        "1 secret/creds created\n", "2 mcpserver.orloj.dev/everything created\n");
    }

    @Test
    void deletedResourcesArePrintedAtOnce() {
        ctlReading(MANIFESTS, "apply", "-f", "-");

        run("delete", "--wait=false", "-f", "-");

        assertThat(seen)
                .containsExactly(
                        "3 mcpserver.orloj.dev \"everything\" deleted\n",
                        "4 secret \"creds\" deleted\n");
    }
}
