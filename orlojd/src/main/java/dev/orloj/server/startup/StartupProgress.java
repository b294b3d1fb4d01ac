package dev.orloj.server.startup;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Prints the steps of a start that takes long to stderr, with the time since its beginning. A start
 * that takes none of them prints nothing.
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

    /** {@code 3.2s}. */
    public String elapsed() {
        Duration time = Duration.ofNanos(System.nanoTime() - begin);
        return String.format(Locale.ROOT, "%.1fs", time.toMillis() / 1000.0);
    }
}
