package dev.orloj.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of the loopback address for a server of a test, also before it listens and between two
 * starts: the system gives it to no other program. Connections to it are refused while no server
 * listens.
 */
public final class ReservedPort implements AutoCloseable {

    /** Bound and never listening: a server whose socket may reuse addresses can listen there. */
    private final Socket holder = new Socket();

    public ReservedPort() {
        try {
            holder.setReuseAddress(true);
            holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int number() {
        return holder.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        holder.close();
    }
}
