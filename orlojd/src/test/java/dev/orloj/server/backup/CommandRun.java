package dev.orloj.server.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.Orlojctl;
import dev.orloj.cli.output.Console;
import dev.orloj.server.testing.RunningOrlojd;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;

/** What orlojctl printed, whose output may be a backup, and its exit code. */
record CommandRun(int code, byte[] out, String err) {

    static CommandRun of(RunningOrlojd orlojd, String... arguments) {
        return of(orlojd, InputStream.nullInputStream(), arguments);
    }

    static CommandRun of(RunningOrlojd orlojd, InputStream in, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console =
                new Console(
                        in,
                        new PrintStream(out, false, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        Map.of("ORLOJ_SERVER", orlojd.client().url()),
                        InstantSource.system());
        int code = Orlojctl.run(console, arguments);
        console.out().flush();
        return new CommandRun(code, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
    }

    String text() {
        return new String(out, StandardCharsets.UTF_8);
    }

    CommandRun expectSuccess() {
        assertThat(code).as("%s%s", err, code == 0 ? "" : text()).isZero();
        return this;
    }
}
