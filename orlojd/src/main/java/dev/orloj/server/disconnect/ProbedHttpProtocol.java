package dev.orloj.server.disconnect;

import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Tomcat's HTTP/1.1, with access from a request to its connection. Tomcat creates it by its name.
 *
 * <p>Its buffers are small, because a stream keeps those of its connection while it lasts, and
 * thousands of clients may listen: with Tomcat's own each took 116 kB. What does not fit into them
 * is read and written in more pieces.
 */
public final class ProbedHttpProtocol extends Http11NioProtocol {

    /** For bytes of a response, and for as many characters: three bytes of memory for each. */
    private static final int ANSWER_BUFFER = 2 * 1024;

    /** Held twice: for what comes from the socket, and behind the head of a request. */
    private static final int READ_BUFFER = 4 * 1024;

    private static final long PERIOD_MILLIS = 250;

    private final int most = WaitingConnections.mostConnections();
    private final WaitingConnections connections = new WaitingConnections();
    private @Nullable ScheduledExecutorService rounds;

    public ProbedHttpProtocol() {
        getEndpoint().getSocketProperties().setAppReadBufSize(READ_BUFFER);
        setMaxConnections(most);
    }

    /**
     * Never more than the limit of open files allows; Spring Boot sets its default after the
     * constructor.
     */
    @Override
    public void setMaxConnections(int wanted) {
        super.setMaxConnections(wanted < 0 ? most : Math.min(wanted, most));
    }

    @Override
    public void start() throws Exception {
        super.start();
        ScheduledExecutorService started =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("orloj-connections").factory());
        started.scheduleWithFixedDelay(
                this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        rounds = started;
    }

    @Override
    public void destroy() throws Exception {
        if (rounds != null) {
            rounds.shutdownNow();
        }
        super.destroy();
    }

    private void look() {
        try {
            connections.look(getEndpoint(), System.nanoTime());
        } catch (RuntimeException e) { // would end all later rounds
            getLog().error("Connections could not be looked at", e);
        }
    }

    @Override
    public int getDesiredBufferSize() {
        return ANSWER_BUFFER;
    }

    @Override
    protected Processor createProcessor() {
        return new ProbedProcessor(this, getAdapter(), connections, new Served());
    }

    /** The connection that a processor serves now. */
    private static final class Served {

        private volatile @Nullable SocketWrapperBase<?> connection;

        void noteIn(WaitingConnections connections) {
            SocketWrapperBase<?> current = connection;
            if (current != null) {
                connections.answering(current);
            }
        }
    }

    /** Serves the requests of one connection, one after the other. */
    private static final class ProbedProcessor extends Http11Processor {

        private final WaitingConnections connections;
        private final Served served;

        ProbedProcessor(
                AbstractHttp11Protocol<?> protocol,
                Adapter adapter,
                WaitingConnections connections,
                Served served) {
            super(protocol, new NotingAdapter(adapter, () -> served.noteIn(connections)));
            this.connections = connections;
            this.served = served;
        }

        @Override
        public SocketState service(SocketWrapperBase<?> socket) throws IOException {
            new ClientConnection(socket).noteIn(request);
            served.connection = socket;
            SocketState state = super.service(socket);
            boolean isWaiting = state == SocketState.OPEN || state == SocketState.LONG;
            if (isWaiting && !isAsync()) {
                connections.waiting(socket);
            }
            return state;
        }
    }
}
