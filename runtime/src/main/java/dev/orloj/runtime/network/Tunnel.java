package dev.orloj.runtime.network;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;

/** Two connections, of which each gets what the other sends. */
final class Tunnel {

    private final Socket client;
    private final Socket host;
    private final Runnable closeClient;
    private final AtomicBoolean halfClosed = new AtomicBoolean();

    /**
     * @param closeClient ends the connection of the client; may be called more than once
     */
    Tunnel(Socket client, Socket host, Runnable closeClient) {
        this.client = client;
        this.host = host;
        this.closeClient = closeClient;
    }

    /**
     * Copies in both directions, and returns when both have ended. The client does not see the end
     * of its connection before the caller closes it, unless a connection breaks.
     *
     * @param thread name of the thread of one direction
     */
    void carry(String thread) throws InterruptedException {
        Thread upstream = Thread.ofVirtual().name(thread).start(() -> pump(client, host));
        pump(host, client);
        upstream.join();
    }

    /**
     * Copies until one side ends; then half-closes the other side, which may continue in its
     * direction, unless that has ended before.
     */
    private void pump(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            if (halfClosed.compareAndSet(false, true)) {
                to.shutdownOutput();
            }
        } catch (IOException e) {
            closeClient.run();
            EgressProxy.close(host);
        }
    }
}
