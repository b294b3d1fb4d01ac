package dev.orloj.runtime.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.network.EndpointResolver;
import dev.orloj.runtime.oauth.RequestAuthorization;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.TestSessions;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Received;
import dev.orloj.runtime.testkit.FakeNames;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.RecordedSessions;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RecordingListener;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.SessionExpiredException;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.standard.StandardTransports;
import dev.orloj.runtime.workload.LogBuffer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;

/** Several servers behind one name, as the Pods of a headless Service are. */
class SessionAffinityTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String HOST = "mcp.test";
    private static final String[] ADDRESSES = {"127.0.0.2", "127.0.0.3", "127.0.0.4"};

    private final FakeNames names = new FakeNames(ADDRESSES);
    private final EndpointClient client =
            StandardTransports.newClient(
                    new EndpointResolver(names, EndpointAddresses.DEFAULT), Optional::empty);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final RecordingListener listener = new RecordingListener();
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable resource : resources) {
            resource.close();
        }
        timer.shutdownNow();
        client.http().close();
    }

    @Test
    void allRequestsOfASessionGoToTheAddressThatOpenedIt() throws Exception {
        List<FakeHttpServer> servers = servers(FakeScript.wellBehaved().sessions().getStream());
        Transport transport = open(servers);
        initialize(transport);
        await().until(() -> servers.stream().mapToInt(FakeHttpServer::listeners).sum() == 1);

        callAtOnce(transport, 10); // each needs a connection of its own
        transport.close();

        List<FakeHttpServer> called =
                servers.stream().filter(server -> !server.received().isEmpty()).toList();
        assertThat(called).hasSize(1);
        assertThat(called.getFirst().received())
                .extracting(Received::httpMethod)
                .contains("POST", "GET", "DELETE")
                .hasSize(13);
        assertThat(called.getFirst().received())
                .allSatisfy(
                        request ->
                                assertThat(request.headers())
                                        .containsEntry("host", HOST + ":" + port(servers)));
    }

    @Test
    void newSessionsSpreadOverTheAddresses() throws Exception {
        List<FakeHttpServer> servers = servers(FakeScript.wellBehaved().sessions());

        for (int i = 0; i < 6; i++) {
            initialize(open(servers));
        }

        assertThat(servers).extracting(server -> server.sessions().size()).containsExactly(2, 2, 2);
    }

    @Test
    void addressThatAcceptsNoConnectionIsSkippedWhenASessionOpens() throws Exception {
        List<FakeHttpServer> servers =
                servers(FakeScript.wellBehaved().sessions().closesConnections());
        servers.getFirst().close();

        for (int i = 0; i < 4; i++) {
            Transport transport = open(servers);
            initialize(transport);
            assertThat(text(call(transport))).isEqualTo("echo");
        }

        assertThat(servers)
                .extracting(server -> server.sessions().size())
                .startsWith(0)
                .containsOnlyOnce(0);
    }

    @Test
    void noAddressThatAcceptsAConnectionIsAFailureBeforeDelivery() throws Exception {
        List<FakeHttpServer> servers = servers(FakeScript.wellBehaved().sessions());
        Transport transport = open(servers);
        servers.forEach(FakeHttpServer::close);

        assertThatThrownBy(() -> initialize(transport))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("refused")
                .matches(e -> !((TransportException) e).delivered());
    }

    @Test
    void sessionEndsWithTheCauseWhenItsAddressIsGone() throws Exception {
        List<FakeHttpServer> servers =
                servers(FakeScript.wellBehaved().sessions().closesConnections());
        Transport transport = open(servers);
        initialize(transport);
        int opened = withSession(servers);
        servers.get(opened).close();

        assertThatThrownBy(() -> call(transport))
                .isInstanceOf(SessionExpiredException.class)
                .hasMessageContainingAll(
                        "Session with http://" + HOST,
                        "its address " + ADDRESSES[opened] + " accepts no connection",
                        "refused")
                .matches(e -> !((TransportException) e).delivered());

        Transport next = open(servers);
        initialize(next);
        assertThat(text(call(next))).isEqualTo("echo");
    }

    /** A session that has no calls does not have to wait for one. */
    @Test
    void streamOfTheServerNoticesThatTheAddressIsGone() throws Exception {
        List<FakeHttpServer> servers = servers(FakeScript.wellBehaved().sessions().getStream());
        Transport transport = open(servers);
        initialize(transport);
        await().until(() -> servers.stream().mapToInt(FakeHttpServer::listeners).sum() == 1);

        servers.get(withSession(servers)).close();

        await().untilAsserted(
                        () ->
                                assertThat(listener.closed())
                                        .hasSize(1)
                                        .first()
                                        .isInstanceOf(SessionExpiredException.class));
    }

    /** It may have kept its sessions, as a server with a store of them does. */
    @Test
    void sessionOutlivesARestartOfTheOnlyAddress() throws Exception {
        List<FakeHttpServer> servers =
                servers(FakeScript.wellBehaved().sessions().closesConnections());
        names.set(ADDRESSES[0]);
        Transport transport = open(servers);
        initialize(transport);
        servers.getFirst().close();

        assertThatThrownBy(() -> call(transport))
                .isInstanceOf(TransportException.class)
                .isNotInstanceOf(SessionExpiredException.class)
                .matches(e -> !((TransportException) e).delivered());

        names.set(ADDRESSES[1]); // as after the Pod of a StatefulSet was made anew
        assertThatThrownBy(() -> call(transport)).isInstanceOf(SessionExpiredException.class);
    }

    /** A Pod that is not ready, or ends, leaves the name before it stops serving its sessions. */
    @Test
    void sessionStaysAtAnAddressThatTheNameNoLongerHas() throws Exception {
        List<FakeHttpServer> servers = servers(FakeScript.wellBehaved().sessions());
        Transport transport = open(servers);
        initialize(transport);
        int opened = withSession(servers);

        names.set(ADDRESSES[(opened + 1) % ADDRESSES.length]);
        callAtOnce(transport, 3);

        assertThat(servers.get(opened).received("tools/call")).hasSize(3);
    }

    @Test
    void requestsOfARevisionWithoutSessionsUseAllAddresses() throws Exception {
        List<FakeHttpServer> servers = servers(FakeScript.wellBehaved());
        Transport transport = open(servers);
        transport.negotiated(ProtocolRevision.V2026_07_28);

        for (int i = 0; i < 6; i++) {
            call(transport);
        }

        assertThat(servers)
                .extracting(server -> server.received("tools/call").size())
                .containsExactly(2, 2, 2);
    }

    @Test
    void addressThatIsGoneEndsNoSessionOfARevisionWithoutSessions() throws Exception {
        List<FakeHttpServer> servers = servers(FakeScript.wellBehaved().closesConnections());
        Transport transport = open(servers);
        transport.negotiated(ProtocolRevision.V2026_07_28);
        call(transport);
        servers.getFirst().close();
        servers.get(1).close();

        for (int i = 0; i < 3; i++) {
            assertThat(text(call(transport))).isEqualTo("echo");
        }
    }

    @Test
    void requestsOfARevisionWithoutSessionsOutliveTheNameServer() throws Exception {
        List<FakeHttpServer> servers = servers(FakeScript.wellBehaved());
        Transport transport = open(servers);
        transport.negotiated(ProtocolRevision.V2026_07_28);
        call(transport);

        names.set();

        assertThat(text(call(transport))).isEqualTo("echo");
    }

    @Test
    void streamAndMessagesOfTheOlderTransportGoToOneAddress() throws Exception {
        List<FakeHttpServer> servers = servers(FakeScript.wellBehaved().httpSse("/mcp?stream=1"));
        Transport transport =
                new SseTransport(
                        client,
                        new ServerAddress.Http(endpoint(servers), Map.of()),
                        RequestAuthorization.NONE,
                        timer,
                        new LogBuffer(InstantSource.system()),
                        "older",
                        MessageLimits.usual());
        resources.push(transport);
        transport.open(listener);

        callAtOnce(transport, 5);

        assertThat(servers).filteredOn(server -> !server.received().isEmpty()).hasSize(1);
    }

    /** The certificate is that of the name, whatever the address. */
    @Test
    void tlsNamesTheHostOfTheEndpoint() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral(ADDRESSES[0]));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            names.set(ADDRESSES[0]);
            Future<String> greeting =
                    threads.submit(
                            () -> {
                                try (Socket accepted = socket.accept()) {
                                    byte[] hello = new byte[16 * 1024];
                                    int length = accepted.getInputStream().read(hello);
                                    return new String(
                                            hello, 0, length, StandardCharsets.ISO_8859_1);
                                }
                            });
            Transport transport =
                    open(URI.create("https://%s:%d/mcp".formatted(HOST, socket.getLocalPort())));

            assertThatThrownBy(() -> initialize(transport)).isInstanceOf(TransportException.class);

            assertThat(greeting.get()).contains(HOST);
        }
    }

    /** A caller does not notice which of the servers is gone. */
    @Test
    void callMovesToASessionAtAnotherAddress() throws Exception {
        List<FakeHttpServer> servers =
                servers(FakeScript.wellBehaved().sessions().closesConnections());
        SystemScheduler clock = new SystemScheduler();
        RecordedSessions sessions = new RecordedSessions();
        SessionManager manager =
                new SessionManager(
                        (address, log, label) -> transport((ServerAddress.Http) address, log),
                        sessions,
                        clock,
                        new Random(1),
                        SessionSettings.withVersion("1.2.3"));
        resources.push(clock);
        resources.push(manager);
        ServerDefinition server =
                Definitions.withAddress(
                        Definitions.server("several"),
                        new ServerAddress.Http(endpoint(servers), Map.of()));
        callTool(manager, server);
        int opened = withSession(servers);
        servers.get(opened).close();

        assertThat(text(callTool(manager, server))).isEqualTo("echo");
        await().untilAsserted(
                        () ->
                                assertThat(sessions.events())
                                        .anySatisfy(
                                                event ->
                                                        assertThat(event)
                                                                .startsWith("failed")
                                                                .contains(ADDRESSES[opened])));
    }

    private static JsonNode callTool(SessionManager manager, ServerDefinition server)
            throws InterruptedException {
        return TestSessions.callTool(
                manager, server, "echo", Json.MAPPER.createObjectNode(), TIMEOUT);
    }

    private List<FakeHttpServer> servers(FakeScript script) {
        List<InetAddress> addresses = List.of(ADDRESSES).stream().map(FakeNames::address).toList();
        List<FakeHttpServer> servers = FakeHttpServer.startAtOnePort(() -> script, addresses);
        servers.forEach(resources::addLast);
        return servers;
    }

    private static int port(List<FakeHttpServer> servers) {
        return servers.getFirst().port();
    }

    private static URI endpoint(List<FakeHttpServer> servers) {
        return URI.create("http://%s:%d/mcp".formatted(HOST, port(servers)));
    }

    private static int withSession(List<FakeHttpServer> servers) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            if (!servers.get(i).sessions().isEmpty()) {
                found.add(i);
            }
        }
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    private Transport open(List<FakeHttpServer> servers) throws InterruptedException {
        return open(endpoint(servers));
    }

    private Transport open(URI endpoint) throws InterruptedException {
        Transport transport =
                transport(
                        new ServerAddress.Http(endpoint, Map.of()),
                        new LogBuffer(InstantSource.system()));
        resources.push(transport);
        transport.open(listener);
        return transport;
    }

    private Transport transport(ServerAddress.Http address, LogBuffer log) {
        return new StreamableHttpTransport(
                client,
                address,
                RequestAuthorization.NONE,
                timer,
                log,
                "several",
                MessageLimits.usual());
    }

    private static void initialize(Transport transport) throws InterruptedException {
        transport.request("initialize", Json.MAPPER.createObjectNode(), TIMEOUT);
        transport.negotiated(ProtocolRevision.V2025_11_25);
    }

    private static JsonNode call(Transport transport) throws InterruptedException {
        return call(transport, "echo", "{}");
    }

    /** Makes this many calls that wait for each other. */
    private static void callAtOnce(Transport transport, int calls) throws Exception {
        String arguments = "{\"of\": %d}".formatted(calls);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<JsonNode>> answers = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                answers.add(callers.submit(() -> call(transport, "gather", arguments)));
            }
            for (Future<JsonNode> answer : answers) {
                assertThat(text(answer.get())).isEqualTo("all are here");
            }
        }
    }

    private static JsonNode call(Transport transport, String tool, String arguments)
            throws InterruptedException {
        ObjectNode params = Json.MAPPER.createObjectNode().put("name", tool);
        params.set("arguments", Json.MAPPER.readTree(arguments));
        return transport.request("tools/call", params, TIMEOUT);
    }

    private static String text(JsonNode result) {
        return result.at("/content/0/text").stringValue();
    }
}
