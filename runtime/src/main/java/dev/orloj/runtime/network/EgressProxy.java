package dev.orloj.runtime.network;

import dev.orloj.api.Backoff;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An HTTP proxy that connects to allowed hosts only. It resolves names and connects itself, so that
 * a name that resolves to a non-public address is of no use. It does not inspect tunneled data.
 * Thread-safe.
 */
public final class EgressProxy implements AutoCloseable {

    /** Resolves the addresses of a host. */
    @FunctionalInterface
    public interface Resolver {

        /** The resolver of this host. */
        Resolver OF_HOST = InetAddress::getAllByName;

        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    private static final Logger log = LoggerFactory.getLogger(EgressProxy.class);
    private static final int MAX_REPORTED_HOSTS = 100;
    private static final Backoff BACKOFF = Backoff.of(Duration.ofMillis(10), Duration.ofSeconds(1));

    /** Closes connections that exceed their timeouts, for all proxies. */
    private static final ScheduledThreadPoolExecutor DEADLINES = deadlines();

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final String client;
    private final AllowedHosts allowed;
    private final Resolver resolver;
    private final ServerSocket listener;
    private final EgressLimits limits;
    private final Semaphore permits;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    private EgressProxy(
            String client,
            AllowedHosts allowed,
            Resolver resolver,
            ServerSocket listener,
            EgressLimits limits) {
        this.limits = limits;
        this.permits = new Semaphore(limits.perContainer());
        this.client = client;
        this.allowed = allowed;
        this.resolver = resolver;
        this.listener = listener;
    }

    /**
     * Starts a proxy on a free port of the address.
     *
     * @param client name of the client, for the log
     */
    public static EgressProxy start(
            String client, AllowedHosts allowed, InetAddress address, Resolver resolver)
            throws IOException {
        return start(client, allowed, address, resolver, EgressLimits.SHARED);
    }

    /** Starts a proxy with the given limits. */
    static EgressProxy start(
            String client,
            AllowedHosts allowed,
            InetAddress address,
            Resolver resolver,
            EgressLimits limits)
            throws IOException {
        ServerSocket listener = new ServerSocket();
        try {
            listener.bind(new InetSocketAddress(address, 0));
        } catch (IOException e) {
            listener.close();
            throw e;
        }
        return serve(client, allowed, resolver, listener, limits);
    }

    /** Serves the connections of a listener. */
    static EgressProxy serve(
            String client,
            AllowedHosts allowed,
            Resolver resolver,
            ServerSocket listener,
            EgressLimits limits) {
        EgressProxy proxy = new EgressProxy(client, allowed, resolver, listener, limits);
        Thread.ofVirtual().name("orloj-egress-" + client).start(proxy::accept);
        return proxy;
    }

    private static ScheduledThreadPoolExecutor deadlines() {
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("orloj-egress-deadlines").factory());
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /** Returns the number of open client connections. */
    int connections() {
        return limits.perContainer() - permits.availablePermits();
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        int failures = 0;
        while (!listener.isClosed()) {
            try {
                admit(listener.accept());
                failures = 0;
            } catch (IOException e) {
                // The proxy was closed, or no descriptor is left: then the connection stays in the
                // queue of the kernel, and another accept would fail at once.
                if (pauses(BACKOFF.delay(++failures), e)) {
                    return;
                }
            }
        }
    }

    /** Waits, and returns true if the proxy was closed in the meantime. */
    private boolean pauses(Duration pause, IOException why) {
        if (pause.equals(BACKOFF.max()) && !listener.isClosed()) {
            log.atWarn()
                    .addKeyValue("client", client)
                    .addKeyValue("error", why.getMessage())
                    .log("Connections of a container cannot be accepted");
        }
        try {
            return closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Accepts a connection; one above the limit gets neither a thread nor a response. */
    private void admit(Socket socket) {
        if (!permits.tryAcquire()) {
            close(socket);
        } else if (!limits.total().tryAcquire()) {
            permits.release();
            close(socket);
        } else {
            Connection connection = new Connection(socket);
            Thread.ofVirtual()
                    .name("orloj-egress-connection-" + client)
                    .start(() -> serve(connection));
        }
    }

    /** A connection of the client with its permits. */
    private final class Connection implements AutoCloseable {

        private final Socket socket;
        private final AtomicBoolean ended = new AtomicBoolean();

        Connection(Socket socket) {
            this.socket = socket;
        }

        /** Releases the permits first: on the end of one connection, a client may open the next. */
        @Override
        public void close() {
            if (ended.compareAndSet(false, true)) {
                limits.total().release();
                permits.release();
            }
            EgressProxy.close(socket);
        }
    }

    private void serve(Connection connection) {
        sockets.add(connection.socket);
        try (connection) {
            if (!listener.isClosed()) {
                answer(connection);
            }
        } catch (IOException e) {
            // One side has closed the connection or exceeded its timeout, which ends the
            // connection.
        } finally {
            sockets.remove(connection.socket);
        }
    }

    private static Future<?> closeAfter(Connection connection, Duration limit) {
        return DEADLINES.schedule(connection::close, limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void answer(Connection connection) throws IOException {
        Socket socket = connection.socket;
        Future<?> deadline = closeAfter(connection, limits.headTimeout());
        ProxyRequest request;
        try {
            request = ProxyRequest.read(socket.getInputStream());
        } catch (ProxyRequest.MalformedRequestException e) {
            refuse(connection, "400 Bad Request", String.valueOf(e.getMessage()));
            return;
        } finally {
            deadline.cancel(false);
        }
        if (!allowed.allows(request.host(), request.port())) {
            report(request);
            refuse(
                    connection,
                    "403 Forbidden",
                    "%s:%d is not in network.allow_hosts"
                            .formatted(request.host(), request.port()));
            return;
        }
        Optional<InetAddress> address = publicAddress(request.host());
        if (address.isEmpty()) {
            refuse(connection, "502 Bad Gateway", request.host() + " has no public address");
            return;
        }
        connect(connection, request, address.get());
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

    private void connect(Connection connection, ProxyRequest request, InetAddress address)
            throws IOException {
        Socket socket = connection.socket;
        try (Socket host = new Socket()) {
            sockets.add(host);
            try {
                host.connect(
                        new InetSocketAddress(address, request.port()),
                        Math.toIntExact(CONNECT_TIMEOUT.toMillis()));
            } catch (IOException e) {
                refuse(connection, "502 Bad Gateway", request.host() + " cannot be reached");
                return;
            }
            if (request.isTunnel()) {
                write(socket, "HTTP/1.1 200 Connection established\r\n\r\n");
            } else {
                write(host, request.head());
            }
            new Tunnel(socket, host, connection::close).carry("orloj-egress-upstream-" + client);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.removeIf(Socket::isClosed);
        }
    }

    static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // The connection is already closed on this side.
        }
    }

    private static void write(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    private void refuse(Connection connection, String status, String why) throws IOException {
        Future<?> deadline = closeAfter(connection, limits.refusalTimeout());
        try {
            refuseAndDrain(connection.socket, status, why);
        } finally {
            deadline.cancel(false);
        }
    }

    private static void refuseAndDrain(Socket socket, String status, String why)
            throws IOException {
        String body = "orlojd: " + why + "\n";
        write(
                socket,
                "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
                        .formatted(status, body.length(), body));
        socket.shutdownOutput();
        // Unread data would turn the end of the connection into a reset.
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
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

    /** Also closes all connections. */
    @Override
    public void close() {
        closed.countDown();
        try {
            listener.close();
        } catch (IOException e) {
            // The listener is closed already.
        }
        sockets.forEach(EgressProxy::close);
    }
}
