package dev.orloj.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The way between a client and a server, which can be cut and redirected. Thread-safe. */
public final class CuttingProxy implements AutoCloseable {

    private final ServerSocket server;
    private volatile int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<Socket> silent = ConcurrentHashMap.newKeySet();
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

    /** Leads new connections to another server, and cuts those of now. */
    public void redirect(String url) {
        target = URI.create(url).getPort();
        cut();
    }

    /** Loses whatever is sent over the connections of now, without a word; new ones are good. */
    public void silence() {
        silent.addAll(open);
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
        int port = target;
        try (client;
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), port)) {
            open.add(client);
            open.add(upstream);
            if (blocked || port != target) {
                return; // cut before it was among those that are open
            }
            Thread answers = Thread.startVirtualThread(() -> copy(upstream, client));
            copy(client, upstream);
            answers.join();
            open.remove(upstream);
            silent.remove(upstream);
        } catch (IOException e) {
            // The server is away: the client sees a connection that ends.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(client);
            silent.remove(client);
        }
    }

    private void copy(Socket from, Socket to) {
        try {
            byte[] buffer = new byte[8 * 1024];
            for (int length = 0; length >= 0; length = from.getInputStream().read(buffer)) {
                if (!silent.contains(from)) {
                    to.getOutputStream().write(buffer, 0, length);
                }
            }
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
