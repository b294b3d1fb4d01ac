package dev.orloj.server.hangup;

import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketWrapperBase;

import java.io.IOException;

/**
 * Tomcat's HTTP/1.1, whose requests know their connections. Tomcat makes it by its name.
 *
 * <p>Its buffers are small, since a stream keeps those of its connection for as long as it lasts,
 * and thousands of agents may listen: with Tomcat's own each took 116 kB. What does not fit into
 * them is read and written in more pieces.
 */
public final class ProbedHttpProtocol extends Http11NioProtocol {

    /** For bytes of an answer, and for as many characters: three bytes of memory for each. */
    private static final int ANSWER_BUFFER = 2 * 1024;

    /** Held twice: for what comes from the socket, and behind the head of a request. */
    private static final int READ_BUFFER = 4 * 1024;

    public ProbedHttpProtocol() {
        getEndpoint().getSocketProperties().setAppReadBufSize(READ_BUFFER);
    }

    @Override
    public int getDesiredBufferSize() {
        return ANSWER_BUFFER;
    }

    @Override
    protected Processor createProcessor() {
        return new ProbedProcessor(this, getAdapter());
    }

    /** Serves the requests of one connection, one after the other. */
    private static final class ProbedProcessor extends Http11Processor {

        ProbedProcessor(AbstractHttp11Protocol<?> protocol, Adapter adapter) {
            super(protocol, adapter);
        }

        @Override
        public SocketState service(SocketWrapperBase<?> socket) throws IOException {
            new ClientConnection(socket).noteIn(request);
            return super.service(socket);
        }
    }
}
