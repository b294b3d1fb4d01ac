package dev.orloj.runtime.container;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A loopback port in front of an HTTP server that refuses TLS at its first byte. Docker tries TLS
 * first, and an {@code HttpServer} would let it wait ten seconds for the end of a line.
 */
final class PlainPort implements AutoCloseable {

    private static final int TLS_HANDSHAKE = 0x16;

    private final ServerSocket port;
    private final InetSocketAddress server;

    PlainPort(InetSocketAddress server) throws IOException {
        this.server = server;
        this.port = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int number() {
        return port.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = port.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException e) {
            // The port is closed.
        }
    }

    private void serve(Socket client) {
        try (client;
                PushbackInputStream in = new PushbackInputStream(client.getInputStream())) {
            int first = in.read();
            if (first == -1 || first == TLS_HANDSHAKE) {
                return;
            }
            in.unread(first);
            try (Socket connection = new Socket(server.getAddress(), server.getPort())) {
                Thread answers = Thread.ofVirtual().start(() -> copy(connection, client));
                in.transferTo(connection.getOutputStream());
                connection.shutdownOutput();
                answers.join();
            }
        } catch (IOException e) {
            // One of them has hung up.
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void copy(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            // One of them has hung up.
        }
    }

    @Override
    public void close() {
        try {
            port.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
