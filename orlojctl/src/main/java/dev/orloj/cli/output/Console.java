package dev.orloj.cli.output;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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

    /** The console of this process. What it prints is UTF-8 whatever the locale. */
    public static Console ofProcess() {
        return new Console(
                System.in,
                new PrintStream(
                        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 32_768),
                        false,
                        StandardCharsets.UTF_8),
                new PrintStream(
                        new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                System.getenv(),
                InstantSource.system());
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
