package dev.orloj.runtime.network;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * An HTTP proxy that leads to a few hosts only. It resolves and dials them itself, so that a name
 * that means a near address leads nowhere. What goes through a tunnel it does not look into.
 * Thread-safe.
 */
public final class EgressProxy implements AutoCloseable {

    /** Finds the addresses of a host. */
    @FunctionalInterface
    public interface Resolver {

        /** As this host does it. */
        Resolver OF_HOST = InetAddress::getAllByName;

        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    private static final Logger log = LoggerFactory.getLogger(EgressProxy.class);
    private static final int MAX_CONNECTIONS = 256;
    private static final int MAX_REPORTED_HOSTS = 100;
    private static final Duration HEAD_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final String client;
    private final AllowedHosts allowed;
    private final Resolver resolver;
    private final ServerSocket listener;
    private final Semaphore permits = new Semaphore(MAX_CONNECTIONS);
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    private EgressProxy(
            String client, AllowedHosts allowed, Resolver resolver, ServerSocket listener) {
        this.client = client;
        this.allowed = allowed;
        this.resolver = resolver;
        this.listener = listener;
    }

    /**
     * Listens on a free port of the address.
     *
     * @param client who uses it, for the log
     */
    public static EgressProxy start(
            String client, AllowedHosts allowed, InetAddress address, Resolver resolver)
            throws IOException {
        ServerSocket listener = new ServerSocket();
        try {
            listener.bind(new InetSocketAddress(address, 0));
        } catch (IOException e) {
            listener.close();
            throw e;
        }
        EgressProxy proxy = new EgressProxy(client, allowed, resolver, listener);
        Thread.ofVirtual().name("orloj-egress-" + client).start(proxy::accept);
        return proxy;
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                Thread.ofVirtual()
                        .name("orloj-egress-connection-" + client)
                        .start(() -> serve(socket));
            } catch (IOException e) {
                // Closed, or the client has gone before it was let in.
            }
        }
    }

    private void serve(Socket socket) {
        sockets.add(socket);
        try (socket) {
            if (permits.tryAcquire()) {
                try {
                    answer(socket);
                } finally {
                    permits.release();
                }
            } else {
                refuse(socket, "503 Service Unavailable", "too many connections");
            }
        } catch (IOException e) {
            // One of the two has hung up, which ends the connection.
        } finally {
            sockets.remove(socket);
        }
    }

    private void answer(Socket socket) throws IOException {
        socket.setSoTimeout(Math.toIntExact(HEAD_TIMEOUT.toMillis()));
        ProxyRequest request;
        try {
            request = ProxyRequest.read(socket.getInputStream());
        } catch (ProxyRequest.MalformedRequestException e) {
            refuse(socket, "400 Bad Request", String.valueOf(e.getMessage()));
            return;
        }
        socket.setSoTimeout(0);
        if (!allowed.allows(request.host(), request.port())) {
            report(request);
            refuse(
                    socket,
                    "403 Forbidden",
                    "%s:%d is not in network.allow_hosts"
                            .formatted(request.host(), request.port()));
            return;
        }
        Optional<InetAddress> address = publicAddress(request.host());
        if (address.isEmpty()) {
            refuse(socket, "502 Bad Gateway", request.host() + " has no public address");
            return;
        }
        connect(socket, request, address.get());
    }

    private Optional<InetAddress> publicAddress(String host) {
        try {
            return Arrays.stream(resolver.resolve(host))
                    .filter(AddressRanges::isPublic)
                    .findFirst();
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    private void connect(Socket socket, ProxyRequest request, InetAddress address)
            throws IOException {
        try (Socket host = new Socket()) {
            sockets.add(host);
            try {
                host.connect(
                        new InetSocketAddress(address, request.port()),
                        Math.toIntExact(CONNECT_TIMEOUT.toMillis()));
            } catch (IOException e) {
                refuse(socket, "502 Bad Gateway", request.host() + " cannot be reached");
                return;
            }
            if (request.isTunnel()) {
                write(socket, "HTTP/1.1 200 Connection established\r\n\r\n");
            } else {
                write(host, request.head());
            }
            Thread upstream =
                    Thread.ofVirtual()
                            .name("orloj-egress-upstream-" + client)
                            .start(() -> pump(socket, host));
            pump(host, socket);
            upstream.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.removeIf(Socket::isClosed);
        }
    }

    /**
     * Until one side ends; then the other side is told so, and may go on with its own direction.
     */
    private static void pump(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed as far as this side is concerned.
        }
    }

    private static void write(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    private static void refuse(Socket socket, String status, String why) throws IOException {
        String body = "orlojd: " + why + "\n";
        write(
                socket,
                "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
                        .formatted(status, body.length(), body));
        socket.shutdownOutput();
        // What is left unread would turn the end of the connection into a reset.
        socket.setSoTimeout(1000);
        try (InputStream rest = socket.getInputStream()) {
            rest.transferTo(OutputStream.nullOutputStream());
        }
    }

    private void report(ProxyRequest request) {
        String wanted = request.host() + ":" + request.port();
        if (reported.size() < MAX_REPORTED_HOSTS && reported.add(wanted)) {
            log.atWarn()
                    .addKeyValue("client", client)
                    .addKeyValue("host", wanted)
                    .log("A container asked for a host that it may not reach");
        }
    }

    /** Ends all connections too. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            // It listens no more.
        }
        sockets.forEach(EgressProxy::close);
    }
}
