package dev.orloj.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.session.SessionRig;
import dev.orloj.runtime.session.TestSessions;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.runtime.testkit.RealSessions;
import dev.orloj.runtime.testkit.RecordedSessions;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.TransportException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;

/** Servers of 2026-07-28, over real transports, whose resources have subscribers. */
@Timeout(60)
class ResourceSubscriberTest {

    private static final Duration ENOUGH = Duration.ofSeconds(30);
    private static final String LISTEN = "subscriptions/listen";

    @TempDir private Path folder;

    private final RecordedSessions listener = new RecordedSessions();

    @RegisterExtension private final RealSessions real = new RealSessions(listener);

    private FakeStdioServer child;
    private ServerDefinition server;

    @BeforeEach
    void writeServer() {
        child = FakeStdioServer.in(folder, FakeScript.wellBehaved().stateless());
        server = at(new ServerAddress.Stdio(child.command(), Map.of(), Duration.ofSeconds(1)));
    }

    private static ServerDefinition at(ServerAddress address) {
        return Definitions.withAddress(Definitions.server("telling"), address);
    }

    private JsonNode ask(ServerDefinition server, String method, String uri)
            throws InterruptedException {
        return ask(server, method, uri, ENOUGH);
    }

    private JsonNode ask(ServerDefinition server, String method, String uri, Duration timeout)
            throws InterruptedException {
        SessionRequest request =
                new SessionRequest(
                        method,
                        JsonNodeFactory.instance.objectNode().put("uri", uri),
                        timeout,
                        ProgressListener.NONE);
        return real.manager().withSession(server, request, session -> session.call(request));
    }

    private JsonNode subscribe(String uri) throws InterruptedException {
        return ask(server, "resources/subscribe", uri);
    }

    private JsonNode subscribe(String uri, Duration timeout) throws InterruptedException {
        return ask(server, "resources/subscribe", uri, timeout);
    }

    private void unsubscribe(String uri) throws InterruptedException {
        ask(server, "resources/unsubscribe", uri);
    }

    private void touch(ServerDefinition touched, String uri) throws InterruptedException {
        call(touched, "touch", JsonNodeFactory.instance.objectNode().put("uri", uri));
    }

    private void call(ServerDefinition called, String tool, JsonNode arguments)
            throws InterruptedException {
        TestSessions.callTool(real.manager(), called, tool, arguments, ENOUGH);
    }

    /** The resources of each request to listen, oldest first. */
    private List<String> asked() {
        return child.received().stream()
                .filter(message -> message.path("method").asString("").equals(LISTEN))
                .map(message -> message.at("/params/notifications/resourceSubscriptions"))
                .filter(JsonNode::isArray)
                .map(JsonNode::toString)
                .toList();
    }

    /** The resources of the requests to listen that were ended by us. */
    private List<String> ended() {
        List<JsonNode> received = child.received();
        return received.stream()
                .filter(
                        message ->
                                message.path("method")
                                        .asString("")
                                        .equals("notifications/cancelled"))
                .map(message -> message.at("/params/requestId"))
                .flatMap(id -> received.stream().filter(each -> each.path("id").equals(id)))
                .map(
                        message ->
                                message.at("/params/notifications/resourceSubscriptions")
                                        .toString())
                .toList();
    }

    private List<String> updates() {
        return listener.events().stream()
                .filter(event -> event.contains("notifications/resources/updated"))
                .toList();
    }

    @Test
    void subscriptionIsARequestToListenToAllResourcesSoFar() throws Exception {
        assertThat(subscribe("file:///a")).hasToString("{}");
        subscribe("file:///b");
        subscribe("file:///b");

        assertThat(asked()).containsExactly("[\"file:///a\"]", "[\"file:///a\",\"file:///b\"]");
        await().atMost(ENOUGH)
                .untilAsserted(() -> assertThat(ended()).containsExactly("[\"file:///a\"]"));
        touch(server, "file:///b");
        await().atMost(ENOUGH).until(() -> updates().size() >= 1);
        assertThat(updates().getFirst()).contains("{\"uri\":\"file:///b\"}");
        assertThat(child.receivedMethods()).doesNotContain("resources/subscribe");
    }

    @Test
    void resourceThatTheServerDoesNotAgreeToIsRefusedAndTheOthersStay() throws Exception {
        subscribe("file:///a");

        assertThatThrownBy(() -> subscribe("file:///secret"))
                .isInstanceOf(JsonRpcException.class)
                .hasMessageContaining("does not report changes of \"file:///secret\"");

        await().atMost(ENOUGH).until(() -> ended().size() == 1);
        assertThat(ended()).containsExactly("[\"file:///a\",\"file:///secret\"]");
    }

    /** It listens, and says nothing. */
    private void silence() {
        child.rewrite(FakeScript.wellBehaved().stateless().silentOn(LISTEN));
    }

    @Test
    void serverThatDoesNotSayWhatItAgreesToIsOutOfTime() {
        silence();

        assertThatThrownBy(() -> subscribe("file:///a", Duration.ofMillis(300)))
                .isInstanceOf(RequestTimeoutException.class)
                .hasMessageContaining("\"resources/subscribe\"");
    }

    @Test
    void serverThatEndsInsteadOfAnAnswerIsAskedAgainInTheNextSession() throws Exception {
        silence();
        FutureTask<JsonNode> subscription = SessionRig.start(() -> subscribe("file:///a"));
        await().atMost(ENOUGH).until(() -> asked().size() == 1);

        child.rewrite(FakeScript.wellBehaved().stateless());
        assertThatThrownBy(() -> call(server, "exit", JsonNodeFactory.instance.objectNode()))
                .isInstanceOf(TransportException.class);

        assertThat(subscription.get()).hasToString("{}");
        assertThat(asked()).containsExactly("[\"file:///a\"]", "[\"file:///a\"]");
    }

    @Test
    void clientUnsubscribesWithoutWaitingForTheServer() throws Exception {
        subscribe("file:///a");
        subscribe("file:///b");
        silence();

        JsonNode answer = ask(server, "resources/unsubscribe", "file:///a", Duration.ofMillis(300));

        assertThat(answer).hasToString("{}");
        await().atMost(ENOUGH)
                .untilAsserted(() -> assertThat(asked()).last().isEqualTo("[\"file:///b\"]"));
    }

    @Test
    void requestEndsWithTheLastSubscription() throws Exception {
        subscribe("file:///a");
        subscribe("file:///b");

        unsubscribe("file:///a");
        unsubscribe("file:///b");
        unsubscribe("file:///never");

        assertThat(asked()).hasSize(3).last().isEqualTo("[\"file:///b\"]");
        await().atMost(ENOUGH).until(() -> ended().size() == 3);
    }

    @Test
    void serverOverHttpThatTakesNoSuchRequestIsReportedAtOnce() throws Exception {
        try (FakeHttpServer http =
                FakeHttpServer.start(FakeScript.wellBehaved().stateless().sse())) {
            ServerDefinition remote = at(new ServerAddress.Http(http.endpoint(), Map.of()));
            TestSessions.sessionFor(real.manager(), remote);
            await().atMost(ENOUGH).until(() -> http.received(LISTEN).size() == 1); // for its lists
            http.answerNext(LISTEN, FakeHttpServer.Answer.of(405, "text/plain", "no"));

            assertThatThrownBy(() -> ask(remote, "resources/subscribe", "file:///a"))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("405");
            TestSessions.retire(real.manager(), remote.server());
        }
    }

    @Test
    void resourcesOfAServerOverHttpAreReportedOnTheStreamOfTheirRequest() throws Exception {
        try (FakeHttpServer http =
                FakeHttpServer.start(FakeScript.wellBehaved().stateless().sse())) {
            ServerDefinition remote = at(new ServerAddress.Http(http.endpoint(), Map.of()));

            ask(remote, "resources/subscribe", "file:///a");
            touch(remote, "file:///a");

            await().atMost(ENOUGH).until(() -> updates().size() >= 1);
            TestSessions.retire(real.manager(), remote.server());
        }
    }
}
