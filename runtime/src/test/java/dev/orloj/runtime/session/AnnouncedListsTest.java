package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.LogLevel;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.isolation.Isolation;
import dev.orloj.runtime.isolation.SessionScope;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransport;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;

/** Lists that change in the session of one client, read by clients that share sessions. */
@Timeout(30)
@DisplayName("H-23")
class AnnouncedListsTest {

    private static final ServerDefinition SERVER =
            Definitions.withIsolation(
                    Definitions.server("own"), new Isolation(SessionScope.AGENT, 10));

    @RegisterExtension private final SessionRig rig = new SessionRig();

    private final BlockingQueue<FakeTransport> called = new LinkedBlockingQueue<>();
    private final CountDownLatch go = new CountDownLatch(1);
    private final List<FutureTask<JsonNode>> calls = new ArrayList<>();

    /** One that receives logs, and has a session of its own for that. */
    private record Client(String agent) implements RequestingClient, LogListener {

        @Override
        public ClientCapabilities capabilities() {
            return ClientCapabilities.NONE;
        }

        @Override
        public LogListener logs() {
            return this;
        }

        @Override
        public Optional<LogLevel> level() {
            return Optional.empty();
        }

        @Override
        public void logged(ObjectNode params) {}

        @Override
        public JsonNode ask(ResourceKey server, String method, @Nullable JsonNode params) {
            throw new JsonRpcException(SessionRig.error(1));
        }
    }

    private JsonNode send(String method, RequestingClient client) throws InterruptedException {
        SessionRequest request =
                new SessionRequest(
                        method,
                        (ObjectNode) FakeTransports.json("{\"name\": \"t\"}"),
                        SessionRig.TIMEOUT,
                        ProgressListener.NONE,
                        ParameterHeaders.NONE,
                        client);
        return rig.manager.withSession(SERVER, request, session -> session.call(request));
    }

    /** Begins a call, which lasts until the end of the test; returns the session of the client. */
    private FakeTransport callOf(String name) throws InterruptedException {
        rig.transports.on(
                "tools/call",
                (connection, params) -> {
                    called.add(connection);
                    go.await();
                    return FakeTransports.json("{}");
                });
        calls.add(SessionRig.start(() -> send("tools/call", new Client(name))));
        return called.take();
    }

    private void answerWhetherFrom(FakeTransport session) {
        for (String method :
                List.of("prompts/list", "resources/list", "resources/templates/list")) {
            rig.transports.on(
                    method,
                    (connection, params) ->
                            FakeTransports.json("{\"from\": " + (connection == session) + "}"));
        }
    }

    private boolean isListedFromIt(String method) throws InterruptedException {
        return send(method, RequestingClient.NONE).path("from").asBoolean();
    }

    private long announcements(String list) {
        return rig.listener.events().stream()
                .filter(event -> event.contains("notifications/" + list + "/list_changed"))
                .count();
    }

    @Test
    void promptsAndResourcesAreListedFromTheSessionThatAnnouncedTheirChange() throws Exception {
        callOf("anna");
        FakeTransport ofBert = callOf("bert");
        answerWhetherFrom(ofBert);

        ofBert.send("notifications/resources/list_changed");

        assertThat(isListedFromIt("resources/list")).isTrue();
        assertThat(isListedFromIt("resources/templates/list")).isTrue();
        assertThat(isListedFromIt("prompts/list")).isFalse();
        ofBert.send("notifications/prompts/list_changed");
        assertThat(isListedFromIt("prompts/list")).isTrue();
        go.countDown();
        for (FutureTask<JsonNode> call : calls) {
            call.get();
        }
    }

    @Test
    void listsOfASessionThatEndsChangeBackToThoseOfTheSharedOne() throws Exception {
        callOf("anna");
        FakeTransport ofBert = callOf("bert");
        answerWhetherFrom(ofBert);
        ofBert.send("notifications/prompts/list_changed");

        ofBert.die("exit code 3");

        await().until(() -> announcements("prompts") == 2);
        assertThat(announcements("resources")).isZero();
        assertThat(isListedFromIt("prompts/list")).isFalse();
        go.countDown();
        calls.getFirst().get();
        assertThatThrownBy(calls.getLast()::get).hasMessageContaining("exit code 3");
    }
}
