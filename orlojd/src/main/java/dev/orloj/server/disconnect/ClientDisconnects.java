package dev.orloj.server.disconnect;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;

import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Detects clients that disconnect while their requests wait for something: the end of a call, or an
 * event to send. A servlet that neither reads nor writes does not notice its client's disconnect,
 * so a thread checks the connections of such requests once a second; an idle one costs one read
 * that finds nothing. Requests that end within the second are not checked.
 *
 * <p>As in Go's web server, a client that closes only its sending direction counts as gone. The
 * disconnect of a client that has sent its next request already is detected only when something is
 * written. Thread-safe.
 */
@Component
public final class ClientDisconnects
        implements AutoCloseable, WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    private static final Logger log = LoggerFactory.getLogger(ClientDisconnects.class);
    private static final long PERIOD_MILLIS = 1_000;

    private final Set<ConnectionWatch> watched = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService scheduler =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("orloj-hang-ups").factory());

    public ClientDisconnects() {
        scheduler.scheduleWithFixedDelay(
                this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        for (ConnectionWatch attention : watched) {
            try {
                attention.look();
            } catch (RuntimeException e) { // would end all later rounds
                log.atError().setCause(e).log("Connection could not be looked at");
                attention.close();
            }
        }
    }

    /** Work that may be interrupted. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws InterruptedException;
    }

    /** One watched request, until its own thread closes this. */
    public final class ConnectionWatch implements AutoCloseable {

        private final ClientConnection connection;
        private final Runnable whenGone;

        @GuardedBy("this")
        private boolean young = true;

        @GuardedBy("this")
        private boolean gone;

        @GuardedBy("this")
        private boolean over;

        private ConnectionWatch(ClientConnection connection, Runnable whenGone) {
            this.connection = connection;
            this.whenGone = whenGone;
        }

        private synchronized void look() {
            if (young) {
                young = false;
            } else if (!over && !gone && connection.isClosed()) {
                gone = true;
                whenGone.run();
            }
        }

        private synchronized boolean isGone() {
            return gone;
        }

        /** After this nothing is run, and the connection is not checked. */
        @Override
        public void close() {
            watched.remove(this);
            synchronized (this) {
                over = true;
            }
        }
    }

    /** Closes the connection of a request in progress, which ends as if its client had left. */
    public static void disconnect(HttpServletRequest request) {
        if (request.getAttribute(ClientConnection.class.getName())
                instanceof ClientConnection connection) {
            connection.close();
        }
    }

    /**
     * Watches the client of a request whose body has been read.
     *
     * @param whenGone run once, on another thread, when the client disconnects; returns at once
     */
    public ConnectionWatch watch(HttpServletRequest request, Runnable whenGone) {
        Object connection = request.getAttribute(ClientConnection.class.getName());
        ConnectionWatch attention = new ConnectionWatch((ClientConnection) connection, whenGone);
        watched.add(attention);
        return attention;
    }

    /**
     * Runs the work on this thread, which is interrupted when the client of the request
     * disconnects.
     *
     * @throws ClientDisconnectedException when the client disconnected and that ended the work
     * @throws InterruptedException when the thread was interrupted for another reason
     */
    public <T> T whileConnected(HttpServletRequest request, Work<T> work)
            throws ClientDisconnectedException, InterruptedException {
        ConnectionWatch attention = watch(request, Thread.currentThread()::interrupt);
        try (attention) {
            return work.run();
        } catch (InterruptedException e) {
            if (attention.isGone()) {
                throw new ClientDisconnectedException();
            }
            throw e;
        }
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.setProtocol(ProbedHttpProtocol.class.getName());
        factory.addContextValves(new ConnectionValve());
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
    }

    /** Stores the connection where {@link #watch} finds it, even in wrapped requests. */
    private static final class ConnectionValve extends ValveBase {

        ConnectionValve() {
            super(true);
        }

        @Override
        public void invoke(Request request, Response response)
                throws IOException, ServletException {
            request.setAttribute(ClientConnection.class.getName(), ClientConnection.under(request));
            getNext().invoke(request, response);
        }
    }
}
