package dev.orloj.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The way between a client and a server, which can be cut. Thread-safe. */
public final class CuttingProxy implements AutoCloseable {

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean blocked;

    /**
     * @param url where the server is, now and after every restart
     */
    public CuttingProxy(String url) {
        try {
            this.target = URI.create(url).getPort();
            this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("proxy").start(this::accept);
    }

    /** Where the client finds it. */
    public String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    /** Cuts every connection; new ones are possible at once. */
    public void cut() {
        open.forEach(CuttingProxy::closeQuietly);
    }

    /** Cuts every connection, and each new one, until {@link #unblock}. */
    public void block() {
        blocked = true;
        cut();
    }

    public void unblock() {
        blocked = false;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                if (blocked) {
                    closeQuietly(client);
                } else {
                    Thread.ofVirtual().start(() -> connect(client));
                }
            }
        } catch (IOException e) {
            cut(); // closed
        }
    }

    private void connect(Socket client) {
        try (client;
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), target)) {
            open.add(client);
            open.add(upstream);
            if (blocked) {
                return;
            }
            Thread answers = Thread.startVirtualThread(() -> copy(upstream, client));
            copy(client, upstream);
            answers.join();
            open.remove(upstream);
        } catch (IOException e) {
            // The server is away: the client sees a connection that ends.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(client);
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One of the two is gone, so the other has to go.
        } finally {
            closeQuietly(from);
            closeQuietly(to);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It was gone already.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
