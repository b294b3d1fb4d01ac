package dev.orloj.server.startup;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Notifies systemd, or what else set {@code NOTIFY_SOCKET}, of the state of orlojd, as sd_notify(3)
 * does. Does nothing without that variable. A notification that cannot be sent costs at most {@link
 * NotifySocket#MAX_WAIT}; the first one is logged, and none is thrown. Thread-safe.
 */
public final class ServiceManager {

    /** Each slow step of a start may take as long, whatever {@code TimeoutStartSec} says. */
    static final Duration STEP_TIMEOUT = Duration.ofMinutes(10);

    /** More than the servers and the database need to end, on a busy machine too. */
    private static final Duration STOP_MARGIN = Duration.ofSeconds(20);

    private static final int MAX_STATUS_CHARS = 500;
    private static final Logger log = LoggerFactory.getLogger(ServiceManager.class);

    private final @Nullable String address;
    private final AtomicBoolean failed = new AtomicBoolean();

    private ServiceManager(@Nullable String address) {
        this.address = address;
    }

    /**
     * Returns the service manager that started this process; one that receives nothing where there
     * is none.
     *
     * @param environment of the process
     */
    public static ServiceManager of(Map<String, String> environment) {
        String address = environment.getOrDefault("NOTIFY_SOCKET", "");
        return new ServiceManager(address.isEmpty() ? null : address);
    }

    /** Returns one that receives nothing, for a server inside another process. */
    public static ServiceManager none() {
        return new ServiceManager(null);
    }

    /** A slow step of the start begins, such as the recovery of the database. */
    public void starting(String step) {
        send("STATUS=" + line(step) + "\nEXTEND_TIMEOUT_USEC=" + STEP_TIMEOUT.toMillis() * 1000);
    }

    /** The server answers requests, and what was callable before a restart is callable again. */
    public void ready(String url) {
        send("READY=1\nSTATUS=" + line("serves " + url));
    }

    /**
     * The server stops: first its clients leave, then calls in flight end, then its servers.
     *
     * @param forClients how long clients and calls may take, whatever {@code TimeoutStopSec} says
     */
    public void stopping(Duration forClients) {
        send(
                "STOPPING=1\nSTATUS=stops: waits for calls in flight, then ends the servers"
                        + "\nEXTEND_TIMEOUT_USEC="
                        + forClients.plus(STOP_MARGIN).toMillis() * 1000);
    }

    /** A line break would begin another assignment. */
    private static String line(String text) {
        String bounded =
                text.length() <= MAX_STATUS_CHARS ? text : text.substring(0, MAX_STATUS_CHARS);
        return bounded.replaceAll("\\p{Cntrl}", " ");
    }

    private void send(String state) {
        if (address == null) {
            return;
        }
        try {
            NotifySocket.send(address, state.getBytes(StandardCharsets.UTF_8));
        } catch (NotifySocket.NotSentException e) {
            if (failed.compareAndSet(false, true)) {
                log.atWarn()
                        .addKeyValue("socket", address)
                        .addKeyValue("error", e.getMessage())
                        .log(
                                "The service manager cannot be notified of the state of orlojd"
                                        + " (NOTIFY_SOCKET)");
            }
        }
    }
}
