package dev.orloj.cli.output;

import dev.orloj.api.terminal.VisibleOutputStream;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * Where a command reads from, prints to, and what it knows of its surroundings.
 *
 * @param out buffered; whoever prints something that is waited for flushes
 * @param environment the variables of the process
 */
public record Console(
        InputStream in,
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        InstantSource clock) {

    private static final Path STDOUT = Path.of("/proc/self/fd/1");

    /** The console of this process. What it prints is UTF-8 whatever the locale. */
    public static Console ofProcess() {
        return of(
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                mayBeTerminal());
    }

    /**
     * A console that prints to these. Much of what it prints comes from manifests, servers and
     * tools: what a terminal would obey is shown in a visible form. Another program that reads
     * along gets the bytes as they are.
     *
     * @param isTerminal whether {@code out} is one
     */
    static Console of(OutputStream out, OutputStream err, boolean isTerminal) {
        OutputStream buffered = new BufferedOutputStream(out, 32_768);
        return new Console(
                System.in,
                new PrintStream(
                        isTerminal ? new VisibleOutputStream(buffered) : buffered,
                        false,
                        StandardCharsets.UTF_8),
                new PrintStream(new VisibleOutputStream(err), true, StandardCharsets.UTF_8),
                System.getenv(),
                InstantSource.system());
    }

    /** False only where the system says that it is a pipe, a file or a socket. */
    private static boolean mayBeTerminal() {
        try {
            Path target = Files.readSymbolicLink(STDOUT);
            return target.startsWith("/dev") && !target.equals(Path.of("/dev/null"));
        } catch (IOException | UnsupportedOperationException e) {
            return true;
        }
    }

    /**
     * Hands over what was printed so far.
     *
     * @return whether somebody still reads it; false once {@code | head} has had enough
     */
    public boolean flush() {
        return !out.checkError();
    }
}
