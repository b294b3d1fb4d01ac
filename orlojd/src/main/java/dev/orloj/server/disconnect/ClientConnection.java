package dev.orloj.server.disconnect;

import org.apache.catalina.connector.Request;
import org.apache.tomcat.util.net.SocketWrapperBase;

import java.io.IOException;
import java.util.Objects;

/**
 * The connection under one request, whose body has been read. For one thread at a time, which may
 * be another one than the one that writes the response: Tomcat reads and writes separately.
 */
record ClientConnection(SocketWrapperBase<?> socket) {

    /** One of the places that Tomcat leaves to applications. */
    private static final int NOTE = 17;

    static ClientConnection under(Request request) {
        return (ClientConnection)
                Objects.requireNonNull(
                        request.getCoyoteRequest().getNote(NOTE), "not a ProbedHttpProtocol");
    }

    void close() {
        socket.close();
    }

    /** Stores the connection in its request, for later requests too. */
    void noteIn(org.apache.coyote.Request requests) {
        requests.setNote(NOTE, this);
    }

    /**
     * Whether the client has closed the connection, or its direction of it. Does not block.
     *
     * <p>Bytes that have arrived belong to the next request. They stay in the socket's buffer,
     * where Tomcat looks first, and while it has any no more are read.
     */
    boolean isClosed() {
        try {
            boolean _ = socket.isReadyForRead();
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
