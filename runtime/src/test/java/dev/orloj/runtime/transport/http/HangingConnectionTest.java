package dev.orloj.runtime.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.network.AddressRotation;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.network.EndpointClients;
import dev.orloj.runtime.network.EndpointResolver;
import dev.orloj.runtime.oauth.RequestAuthorization;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.TestSessions;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeNames;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.RecordedSessions;
import dev.orloj.runtime.transport.ServerAddress;

import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.net.NamedEndpoint;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

/** A server whose address answers nothing any more, as that of a deleted Pod. */
class HangingConnectionTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String HOST = "mcp.test";
    private static final String[] ADDRESSES = {"127.0.0.2", "127.0.0.3"};

    private final EndpointResolver resolver =
            new EndpointResolver(new FakeNames(ADDRESSES), EndpointAddresses.DEFAULT);
    private final AddressRotation addresses = new AddressRotation(resolver);
    private final GoneAddress gone = new GoneAddress();
    private final EndpointClient client =
            new EndpointClient(
                    EndpointClients.custom(addresses, Optional::empty, SocketConfig.DEFAULT)
                            .setConnectionManager(connections())
                            .setRequestExecutor(new EndpointRequestExecutor())
                            .build(),
                    addresses);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final SystemScheduler clock = new SystemScheduler();
    private final SessionManager manager =
            new SessionManager(
                    (address, log, label) ->
                            new StreamableHttpTransport(
                                    client,
                                    (ServerAddress.Http) address,
                                    RequestAuthorization.NONE,
                                    timer,
                                    log,
                                    label,
                                    MessageLimits.usual()),
                    new RecordedSessions(),
                    clock,
                    new Random(1),
                    SessionSettings.withVersion("1.2.3"));
    private final List<FakeHttpServer> servers =
            FakeHttpServer.startAtOnePort(
                    () -> FakeScript.wellBehaved().sessions().closesConnections(),
                    List.of(ADDRESSES).stream().map(FakeNames::address).toList());

    @AfterEach
    void stop() throws Exception {
        gone.testEnds.countDown();
        manager.close();
        clock.close();
        servers.forEach(FakeHttpServer::close);
        timer.shutdownNow();
        client.http().close();
    }

    /** The first call whose connection fails ends the session, and so the other call. */
    @Test
    void callWithoutAConnectionIsRepeatedWhenAnotherOneEndsTheSession() throws Exception {
        ServerDefinition server =
                Definitions.withAddress(
                        Definitions.server("hanging"),
                        new ServerAddress.Http(
                                URI.create(
                                        "http://%s:%d/mcp"
                                                .formatted(HOST, servers.getFirst().port())),
                                Map.of()));
        call(server);
        FakeHttpServer opened = withSession();
        await().until(
                        () ->
                                opened.received().stream()
                                        .anyMatch(one -> one.httpMethod().equals("GET")));
        gone.address = FakeNames.address(ADDRESSES[servers.indexOf(opened)]);

        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<JsonNode>> calls =
                    callers.invokeAll(List.of(() -> call(server), () -> call(server)));

            for (Future<JsonNode> call : calls) {
                assertThat(call.get().at("/content/0/text").stringValue()).isEqualTo("echo");
            }
        }
        assertThat(opened.received("tools/call")).hasSize(1);
        assertThat(servers)
                .flatExtracting(one -> one.received("tools/call"))
                .as("each call is received once")
                .hasSize(3);
    }

    private FakeHttpServer withSession() {
        return servers.stream().filter(one -> !one.sessions().isEmpty()).findFirst().orElseThrow();
    }

    private JsonNode call(ServerDefinition server) throws InterruptedException {
        return TestSessions.callTool(
                manager, server, "echo", Json.MAPPER.createObjectNode(), TIMEOUT);
    }

    /**
     * An address that is gone: the first connection fails when there is a second one, which hangs
     * until the test ends.
     */
    private static final class GoneAddress {

        private volatile @Nullable InetAddress address;
        private final AtomicInteger connections = new AtomicInteger();
        private final CountDownLatch second = new CountDownLatch(1);
        private final CountDownLatch testEnds = new CountDownLatch(1);

        void connect(InetAddress to) throws IOException {
            if (!to.equals(address)) {
                return;
            }
            try {
                switch (connections.incrementAndGet()) {
                    case 1 -> second.await();
                    case 2 -> {
                        second.countDown();
                        testEnds.await();
                    }
                    default -> {}
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new ConnectTimeoutException("Connect timed out");
        }
    }

    private PoolingHttpClientConnectionManager connections() {
        return new PoolingHttpClientConnectionManagerBuilder() {
            @Override
            protected HttpClientConnectionOperator createConnectionOperator(
                    SchemePortResolver ports, DnsResolver names, TlsSocketStrategy tls) {
                return new DefaultHttpClientConnectionOperator(
                        ports, names, RegistryBuilder.<TlsSocketStrategy>create().build()) {
                    @Override
                    public void connect(
                            ManagedHttpClientConnection connection,
                            HttpHost host,
                            NamedEndpoint name,
                            Path unixSocket,
                            InetSocketAddress local,
                            Timeout timeout,
                            SocketConfig sockets,
                            Object attachment,
                            HttpContext context)
                            throws IOException {
                        gone.connect(host.getAddress());
                        super.connect(
                                connection,
                                host,
                                name,
                                unixSocket,
                                local,
                                timeout,
                                sockets,
                                attachment,
                                context);
                    }
                };
            }
        }.setDnsResolver(resolver).setMaxConnPerRoute(100).build();
    }
}
