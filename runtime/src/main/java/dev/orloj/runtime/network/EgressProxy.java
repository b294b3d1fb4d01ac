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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

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
    private static final int MAX_REPORTED_HOSTS = 100;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /** Ends connections that take too long, of all proxies. */
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
     * Listens on a free port of the address.
     *
     * @param client who uses it, for the log
     */
    public static EgressProxy start(
            String client, AllowedHosts allowed, InetAddress address, Resolver resolver)
            throws IOException {
        return start(client, allowed, address, resolver, EgressLimits.SHARED);
    }

    /** As above, with limits of its own. */
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

    /** Serves what a listener accepts. */
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

    /** Connections of clients that there are now. */
    int connections() {
        return limits.perContainer() - permits.availablePermits();
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        Duration pause = FIRST_PAUSE;
        while (!listener.isClosed()) {
            try {
                admit(listener.accept());
                pause = FIRST_PAUSE;
            } catch (IOException e) {
                // Closed, or no descriptor is left: the connection stays in the queue of the
                // kernel, and accepting at once would fail at once.
                if (pauses(pause, e)) {
                    return;
                }
                Duration doubled = pause.multipliedBy(2);
                pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
            }
        }
    }

    /** True when the proxy was closed meanwhile. */
    private boolean pauses(Duration pause, IOException why) {
        if (pause.equals(LONGEST_PAUSE) && !listener.isClosed()) {
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

    /** A connection that is one too many gets neither a thread nor an answer. */
    private void admit(Socket socket) {
        if (!permits.tryAcquire()) {
            close(socket);
        } else if (!limits.total().tryAcquire()) {
            permits.release();
            close(socket);
        } else {
            Thread.ofVirtual().name("orloj-egress-connection-" + client).start(() -> serve(socket));
        }
    }

    private void serve(Socket socket) {
        sockets.add(socket);
        try (socket) {
            if (!listener.isClosed()) {
                answer(socket);
            }
        } catch (IOException e) {
            // One of the two has hung up, or took too long, which ends the connection.
        } finally {
            sockets.remove(socket);
            limits.total().release();
            permits.release();
        }
    }

    private static Future<?> closeAfter(Socket socket, Duration limit) {
        return DEADLINES.schedule(() -> close(socket), limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void answer(Socket socket) throws IOException {
        Future<?> deadline = closeAfter(socket, limits.headTimeout());
        ProxyRequest request;
        try {
            request = ProxyRequest.read(socket.getInputStream());
        } catch (ProxyRequest.MalformedRequestException e) {
            refuse(socket, "400 Bad Request", String.valueOf(e.getMessage()));
            return;
        } finally {
            deadline.cancel(false);
        }
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

    private void refuse(Socket socket, String status, String why) throws IOException {
        Future<?> deadline = closeAfter(socket, limits.refusalTimeout());
        try {
            refuseAndDrain(socket, status, why);
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
        // What is left unread would turn the end of the connection into a reset.
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
        closed.countDown();
        try {
            listener.close();
        } catch (IOException e) {
            // It listens no more.
        }
        sockets.forEach(EgressProxy::close);
    }
}
