package dev.orloj.cli.mcp;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes messages to stdout, one line each, undivided and flushed, from any thread. Thread-safe.
 */
final class MessageLines {

    private final PrintStream out;

    MessageLines(PrintStream out) {
        this.out = out;
    }

    /**
     * @param message JSON; line breaks in it are between values and mean nothing
     */
    synchronized void write(String message) {
        byte[] line =
                message.replace('\n', ' ').replace('\r', ' ').getBytes(StandardCharsets.UTF_8);
        out.write(line, 0, line.length);
        out.write('\n');
        out.flush();
    }
}
