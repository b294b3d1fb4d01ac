package dev.orloj.server.hangup;

import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketWrapperBase;

import java.io.IOException;

/** Tomcat's HTTP/1.1, whose requests know their connections. Tomcat makes it by its name. */
public final class ProbedHttpProtocol extends Http11NioProtocol {

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
