package dev.orloj.server.startup;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Prints the slow steps of a start to stderr, with the elapsed time, and notifies the service
 * manager. Prints nothing when there are none.
 */
public final class StartupProgress implements Consumer<String> {

    private final PrintStream out;
    private final ServiceManager manager;
    private final long begin = System.nanoTime();

    public StartupProgress(ServiceManager manager) {
        this(System.err, manager);
    }

    StartupProgress(PrintStream out, ServiceManager manager) {
        this.out = out;
        this.manager = manager;
    }

    @Override
    public void accept(String step) {
        out.println("orlojd: [" + elapsed() + "] " + step);
        manager.starting(step);
    }

    /** Returns the elapsed time, such as {@code 3.2s}. */
    public String elapsed() {
        Duration time = Duration.ofNanos(System.nanoTime() - begin);
        return String.format(Locale.ROOT, "%.1fs", time.toMillis() / 1000.0);
    }
}
