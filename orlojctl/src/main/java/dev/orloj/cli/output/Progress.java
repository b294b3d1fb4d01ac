package dev.orloj.cli.output;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.regex.Pattern;

/**
 * Shows on the standard error what a command waits for: in a terminal one line that is rewritten
 * and vanishes at the end, elsewhere a line for each change.
 */
public final class Progress implements AutoCloseable {

    private static final String ERASE = "\r\u001b[K";
    private static final int USUAL_WIDTH = 80;

    /** Lines that differ from the last only in their numbers do not follow faster. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private static final Pattern NUMBERS = Pattern.compile("\\d+");

    private final PrintStream err;
    private final int width;
    private final InstantSource clock;
    private String last = "";
    private boolean isErasedAtExit;
    private boolean isEnded;
    private Instant shownAt = Instant.MIN;

    private Progress(PrintStream err, int width, InstantSource clock) {
        this.err = err;
        this.width = width;
        this.clock = clock;
    }

    /** Shows nothing. */
    static Progress none(InstantSource clock) {
        return new Progress(new PrintStream(OutputStream.nullOutputStream()), 0, clock);
    }

    /** Shows lines. */
    static Progress lines(PrintStream err, InstantSource clock) {
        return new Progress(err, 0, clock);
    }

    /**
     * Shows a line of a terminal.
     *
     * @param width the columns of the terminal; 0 if they are not known
     */
    static Progress terminal(int width, InstantSource clock) {
        // Not the stream of the console, which escapes what a terminal obeys.
        PrintStream raw =
                new PrintStream(
                        new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        return new Progress(raw, width == 0 ? USUAL_WIDTH : width, clock);
    }

    /**
     * Returns the address of a download for {@link #show}, without what may be secret: the user and
     * the query.
     */
    public static String reading(String url) {
        return "Reading " + url.replaceFirst("//[^/]*@", "//").replaceFirst("\\?.*", "");
    }

    /** Shows in a terminal only what the command does now: its result says as much. */
    public void showInTerminal(String text) {
        if (width > 0) {
            show(text);
        }
    }

    /** Shows what the command waits for now. */
    public synchronized void show(String text) {
        String line = Text.oneLine(text);
        if (isEnded || line.equals(last)) {
            return;
        }
        if (width > 0) {
            eraseAtExit();
            err.print(ERASE + Text.cut(line, width - 1));
            err.flush();
        } else if (isDue(line)) {
            err.println(line);
            shownAt = clock.instant();
        } else {
            return;
        }
        last = line;
    }

    private boolean isDue(String line) {
        return !withoutNumbers(line).equals(withoutNumbers(last))
                || !clock.instant().isBefore(shownAt.plus(PAUSE));
    }

    private static String withoutNumbers(String line) {
        return NUMBERS.matcher(line).replaceAll("");
    }

    /** Ctrl-C ends the process wherever it waits, and leaves no half line before the prompt. */
    private void eraseAtExit() {
        if (!isErasedAtExit) {
            isErasedAtExit = true;
            Runtime.getRuntime().addShutdownHook(new Thread(this::close));
        }
    }

    /** Removes the line from the terminal. */
    @Override
    public synchronized void close() {
        isEnded = true;
        if (width > 0 && !last.isEmpty()) {
            err.print(ERASE);
            err.flush();
            last = "";
        }
    }
}
