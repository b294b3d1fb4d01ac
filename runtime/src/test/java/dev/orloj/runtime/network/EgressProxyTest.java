package dev.orloj.runtime.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What the proxy refuses; what it lets through is shown with containers on a network. */
class EgressProxyTest {

    private static final Map<String, String> NAMES =
            Map.of(
                    "metadata.example.com", "169.254.169.254",
                    "internal.example.com", "10.0.0.1",
                    "loopback.example.com", "127.0.0.1");

    private HttpServer host;
    private EgressProxy proxy;
    private volatile String seen = "";

    @BeforeEach
    void start() throws IOException {
        host = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        host.createContext(
                "/",
                exchange -> {
                    seen =
                            exchange.getRequestMethod()
                                    + " "
                                    + exchange.getRequestURI()
                                    + " "
                                    + exchange.getRequestHeaders().getFirst("Host");
                    exchange.sendResponseHeaders(200, 2);
                    exchange.getResponseBody().write("hi".getBytes(StandardCharsets.US_ASCII));
                    exchange.close();
                });
        host.start();
        int port = host.getAddress().getPort();
        proxy =
                EgressProxy.start(
                        "default/test",
                        new AllowedHosts(
                                List.of(
                                        "metadata.example.com:" + port,
                                        "internal.example.com:" + port,
                                        "loopback.example.com:" + port,
                                        "gone.example.com:" + port)),
                        InetAddress.getLoopbackAddress(),
                        EgressProxyTest::resolve);
    }

    private static InetAddress[] resolve(String name) throws UnknownHostException {
        String address = NAMES.get(name);
        if (address == null) {
            throw new UnknownHostException(name);
        }
        return new InetAddress[] {InetAddress.ofLiteral(address)};
    }

    @AfterEach
    void stop() {
        proxy.close();
        host.stop(0);
    }

    private String ask(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void hostsThatAreNotListedAreRefused() throws IOException {
        assertThat(ask("CONNECT evil.example.org:443 HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 403 ")
                .endsWith("orlojd: evil.example.org:443 is not in network.allow_hosts\n");
        assertThat(ask("GET http://evil.example.org/x HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 403 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"metadata", "internal", "loopback", "gone"})
    void listedNamesThatMeanANearAddressLeadNowhere(String name) throws IOException {
        String authority = name + ".example.com:" + host.getAddress().getPort();

        assertThat(ask("CONNECT " + authority + " HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 502 ")
                .contains("has no public address");
        assertThat(seen).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HELLO\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "GET ftp://h/ HTTP/1.1\r\n\r\n",
                "CONNECT u@h:1 HTTP/1.1\r\n\r\n",
                "CONNECT h HTTP/1.1\r\n\r\n",
                "CONNECT h:99999 HTTP/1.1\r\n\r\n",
                "CONNECT a b:1 HTTP/1.1\r\n\r\n",
            })
    void whatIsNoRequestOfAProxyIsRefused(String request) throws IOException {
        assertThat(ask(request)).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void aHeadWithoutEndIsCutOff() throws IOException {
        assertThat(ask("GET http://h/ HTTP/1.1\r\nX: " + "x".repeat(20_000)))
                .startsWith("HTTP/1.1 400 ");
    }

    /** H-09 */
    @Test
    void refusedClientsThatTrickleAreCutOffAndNeverMoreThanTheLimit() throws Exception {
        Semaphore total = new Semaphore(6);
        EgressLimits limits =
                new EgressLimits(4, total, Duration.ofMillis(300), Duration.ofMillis(300));
        List<Socket> tricklers = new ArrayList<>();
        try (ScheduledExecutorService trickle = Executors.newSingleThreadScheduledExecutor();
                EgressProxy small =
                        EgressProxy.start(
                                "default/trickle",
                                new AllowedHosts(List.of()),
                                InetAddress.getLoopbackAddress(),
                                EgressProxyTest::resolve,
                                limits)) {
            for (int i = 0; i < 40; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), small.port());
                tricklers.add(socket);
                String head = i % 2 == 0 ? "CONNECT evil:443 HTTP/1.1\r\n\r\n" : "CONNECT ";
                send(socket, head);
            }
            trickle.scheduleAtFixedRate(
                    () -> tricklers.forEach(socket -> send(socket, "x")),
                    10,
                    10,
                    TimeUnit.MILLISECONDS);

            assertThat(small.connections()).isLessThanOrEqualTo(4);
            // Only then has each been accepted.
            assertThat(tricklers).allMatch(EgressProxyTest::endsAtLast);
            await().until(() -> small.connections() == 0);
            assertThat(total.availablePermits()).isEqualTo(6);
        }
    }

    private static void send(Socket socket, String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // It was cut off.
        }
    }

    /** Accepts connections that record how many of them count at their end. */
    private static final class WatchedListener extends ServerSocket {

        private final BlockingQueue<Integer> counted = new LinkedBlockingQueue<>();
        private volatile EgressProxy proxy;

        WatchedListener() throws IOException {
            bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        }

        @Override
        public Socket accept() throws IOException {
            Socket socket =
                    new Socket() {
                        @Override
                        public void close() throws IOException {
                            counted.add(proxy.connections());
                            super.close();
                        }
                    };
            implAccept(socket);
            return socket;
        }
    }

    /** A client that sees the end of its connection may open the next one at once. */
    @ParameterizedTest
    @ValueSource(strings = {"CONNECT evil:443 HTTP/1.1\r\n\r\n", "CONNECT "})
    void connectionCountsNoMoreWhenItIsClosed(String head) throws Exception {
        EgressLimits limits =
                new EgressLimits(
                        1, new Semaphore(1), Duration.ofMillis(300), Duration.ofSeconds(9));
        try (WatchedListener listener = new WatchedListener();
                EgressProxy one =
                        EgressProxy.serve(
                                "default/one",
                                new AllowedHosts(List.of()),
                                EgressProxyTest::resolve,
                                listener,
                                limits)) {
            listener.proxy = one;
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), one.port())) {
                send(socket, head);
                endsAtLast(socket);
            }

            assertThat(listener.counted.take()).isZero();
        }
    }

    private record Pair(Socket near, Socket far) implements AutoCloseable {

        static Pair connected() throws IOException {
            try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Socket near = new Socket(listener.getInetAddress(), listener.getLocalPort());
                return new Pair(near, listener.accept());
            }
        }

        @Override
        public void close() throws IOException {
            near.close();
            far.close();
        }
    }

    /** The end that a client sees last is that of the connection, which counts no more then. */
    @Test
    void tunnelLeavesTheLastEndToItsCaller() throws Exception {
        try (Pair client = Pair.connected();
                Pair host = Pair.connected()) {
            Tunnel tunnel = new Tunnel(client.far(), host.near(), () -> close(client.far()));
            client.near().shutdownOutput();
            FutureTask<Void> carrying =
                    new FutureTask<>(
                            () -> {
                                tunnel.carry("test");
                                return null;
                            });
            Thread.startVirtualThread(carrying);
            assertThat(host.far().getInputStream().read()).isEqualTo(-1);
            host.far().getOutputStream().write('x');
            host.far().shutdownOutput();

            carrying.get();

            assertThat(client.near().getInputStream().read()).isEqualTo('x');
            assertThat(host.near().isOutputShutdown()).isTrue();
            assertThat(client.far().isOutputShutdown()).isFalse();
            assertThat(client.far().isClosed()).isFalse();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** H-09 */
    @Test
    void acceptingPausesWhileNoDescriptorIsLeft() throws IOException {
        AtomicInteger tries = new AtomicInteger();
        ServerSocket exhausted =
                new ServerSocket() {
                    @Override
                    public Socket accept() throws IOException {
                        tries.incrementAndGet();
                        throw new SocketException("Too many open files");
                    }
                };
        long start = System.nanoTime();
        try (EgressProxy _ =
                EgressProxy.serve(
                        "default/exhausted",
                        new AllowedHosts(List.of()),
                        EgressProxyTest::resolve,
                        exhausted,
                        EgressLimits.SHARED)) {
            await().until(() -> tries.get() >= 6);
        }
        // 10, 20, 40, 80 and 160 ms are between the first six.
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isGreaterThan(Duration.ofMillis(310));
    }

    /** H-09 */
    @Test
    void containersHaveAQuarterOfTheDescriptors() {
        assertThat(EgressLimits.connections(1_024)).isEqualTo(128);
        assertThat(EgressLimits.connections(1_000_000)).isEqualTo(2_048);
    }

    @Test
    void closingItEndsConnections() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            socket.getOutputStream().write("CONNECT ".getBytes(StandardCharsets.US_ASCII));

            proxy.close();

            assertThat(endOf(socket)).isTrue();
        }
    }

    private static boolean endsAtLast(Socket socket) {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean endOf(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return true;
        }
    }
}
