package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.testkit.RealSessions;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Servers of an older revision that ask for the roots of their client, over real transports. */
@Timeout(60)
class AskingServersTest {

    private static final Duration ENOUGH = Duration.ofSeconds(30);

    @TempDir private Path folder;

    @RegisterExtension private final RealSessions real = new RealSessions();

    private final SessionManager sessions = real.manager();

    /** What a client does when it is asked. */
    @FunctionalInterface
    private interface Answering {

        JsonNode answer() throws InterruptedException, BrokenBarrierException;
    }

    private static RequestingClient client(Answering answering) {
        return new RequestingClient() {

            @Override
            public ClientCapabilities capabilities() {
                return ClientCapabilities.of(FakeTransports.json("{\"roots\": {}}"));
            }

            @Override
            public JsonNode ask(ResourceKey server, String method, @Nullable JsonNode params)
                    throws InterruptedException {
                try {
                    return answering.answer();
                } catch (BrokenBarrierException e) {
                    throw new AssertionError(e);
                }
            }
        };
    }

    private static ServerDefinition asking(ServerAddress address) {
        return Definitions.withBridge(
                Definitions.withAddress(Definitions.server("asking"), address),
                new ServerRequestPolicy(Set.of("roots"), Set.of()));
    }

    /** What the server got for an answer. */
    private JsonNode ask(ServerDefinition server, Duration timeout, RequestingClient client)
            throws InterruptedException {
        ObjectNode params = (ObjectNode) FakeTransports.json("{\"name\": \"ask\"}");
        SessionRequest request =
                new SessionRequest(
                        "tools/call",
                        params,
                        timeout,
                        ProgressListener.NONE,
                        ParameterHeaders.NONE,
                        client);
        return sessions.withSession(server, request, session -> session.call(request))
                .path("structuredContent")
                .path("roots/list");
    }

    private ServerAddress child() {
        FakeStdioServer server = FakeStdioServer.in(folder, FakeScript.wellBehaved());
        return new ServerAddress.Stdio(server.command(), Map.of(), Duration.ofSeconds(1));
    }

    @Test
    void answerOfTheClientReachesAChild() throws Exception {
        JsonNode got =
                ask(
                        asking(child()),
                        ENOUGH,
                        client(
                                () ->
                                        FakeTransports.json(
                                                "{\"roots\": [{\"uri\": \"file:///a\"}]}")));

        assertThat(got.path("result").toString())
                .isEqualTo("{\"roots\":[{\"uri\":\"file:///a\"}]}");
    }

    @Test
    void timeOfACallStandsStillWhileItsClientThinks() throws Exception {
        ServerDefinition server = asking(child());
        ask(server, ENOUGH, RequestingClient.NONE);

        JsonNode got =
                ask(
                        server,
                        Duration.ofMillis(500),
                        client(
                                () -> {
                                    new CountDownLatch(1).await(1_500, TimeUnit.MILLISECONDS);
                                    return FakeTransports.json("{\"roots\": []}");
                                }));

        assertThat(got.path("result").toString()).isEqualTo("{\"roots\":[]}");
    }

    @Test
    void streamReportsWhichOfSeveralCallsIsMeant() throws Exception {
        try (FakeHttpServer http = FakeHttpServer.start(FakeScript.wellBehaved().sse())) {
            ServerDefinition server = asking(new ServerAddress.Http(http.endpoint(), Map.of()));
            CyclicBarrier bothAsked = new CyclicBarrier(2);
            FutureTask<JsonNode> one = SessionRig.start(() -> askAs("one", server, bothAsked));
            FutureTask<JsonNode> two = SessionRig.start(() -> askAs("two", server, bothAsked));

            assertThat(one.get().at("/result/roots/0/name").asString()).isEqualTo("one");
            assertThat(two.get().at("/result/roots/0/name").asString()).isEqualTo("two");
            TestSessions.retire(sessions, server.server());
        }
    }

    private JsonNode askAs(String name, ServerDefinition server, CyclicBarrier bothAsked)
            throws InterruptedException {
        return ask(
                server,
                ENOUGH,
                client(
                        () -> {
                            bothAsked.await();
                            return FakeTransports.json(
                                    "{\"roots\": [{\"uri\": \"file:///\", \"name\": \"%s\"}]}"
                                            .formatted(name));
                        }));
    }
}
