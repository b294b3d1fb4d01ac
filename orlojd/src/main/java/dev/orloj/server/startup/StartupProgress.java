package dev.orloj.server.startup;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Prints the slow steps of a start to stderr, with the elapsed time. Prints nothing when there are
 * none.
 */
public final class StartupProgress implements Consumer<String> {

    private final PrintStream out;
    private final long begin = System.nanoTime();

    public StartupProgress() {
        this(System.err);
    }

    StartupProgress(PrintStream out) {
        this.out = out;
    }

    @Override
    public void accept(String step) {
        out.println("orlojd: [" + elapsed() + "] " + step);
    }

    /** Returns the elapsed time, such as {@code 3.2s}. */
    public String elapsed() {
        Duration time = Duration.ofNanos(System.nanoTime() - begin);
        return String.format(Locale.ROOT, "%.1fs", time.toMillis() / 1000.0);
    }
}
