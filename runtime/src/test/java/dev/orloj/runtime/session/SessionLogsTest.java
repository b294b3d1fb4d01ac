package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.LogLevel;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.testkit.RealSessions;
import dev.orloj.runtime.testkit.RecordedSessions;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;

/** Servers that log while they work, over real transports. */
@Timeout(60)
class SessionLogsTest {

    @TempDir private Path folder;

    private final RecordedSessions all = new RecordedSessions();

    @RegisterExtension private final RealSessions real = new RealSessions(all);

    private final SessionManager sessions = real.manager();

    /** A client that receives what is logged for its calls. */
    private static final class Caller implements LogListener {

        private final List<String> received = new CopyOnWriteArrayList<>();

        @Override
        public Optional<LogLevel> level() {
            return Optional.empty();
        }

        @Override
        public void logged(ObjectNode params) {
            received.add(params.path("level").asString() + " " + params.path("data").asString());
        }
    }

    private ServerDefinition child() {
        FakeStdioServer server = FakeStdioServer.in(folder, FakeScript.wellBehaved());
        return at(new ServerAddress.Stdio(server.command(), Map.of(), Duration.ofSeconds(1)));
    }

    private static ServerDefinition at(ServerAddress address) {
        return Definitions.withAddress(Definitions.server("logging"), address);
    }

    /**
     * @param of how many such calls are there before one of them logs
     */
    private JsonNode call(ServerDefinition server, String text, int of, LogListener listener)
            throws InterruptedException {
        ObjectNode params = (ObjectNode) FakeTransports.json("{\"name\": \"report\"}");
        params.putObject("arguments").put("text", text).put("of", of);
        SessionRequest request =
                new SessionRequest(
                        "tools/call",
                        params,
                        Duration.ofSeconds(30),
                        ProgressListener.NONE,
                        ParameterHeaders.NONE,
                        RequestingClient.of(ClientCapabilities.NONE, listener));
        return sessions.withSession(server, request, session -> session.call(request));
    }

    private List<String> receivedByAll() {
        return all.events().stream().filter(event -> event.contains(LogListener.METHOD)).toList();
    }

    @Test
    void whatAChildLogsDuringItsOnlyCallIsForTheCaller() throws Exception {
        Caller caller = new Caller();

        call(child(), "hello", 1, caller);

        assertThat(caller.received).containsExactly("info hello");
        assertThat(receivedByAll()).isEmpty();
    }

    @Test
    void whatNamesNoCallGoesToAllListeners() throws Exception {
        ServerDefinition server = child();
        Caller one = new Caller();
        Caller two = new Caller();

        FutureTask<JsonNode> first = SessionRig.start(() -> call(server, "one", 2, one));
        call(server, "two", 2, two);
        first.get();

        assertThat(one.received).isEmpty();
        assertThat(two.received).isEmpty();
        assertThat(receivedByAll()).hasSize(2);
    }

    @Test
    void streamReportsForWhichOfSeveralCallsAServerLogs() throws Exception {
        try (FakeHttpServer http = FakeHttpServer.start(FakeScript.wellBehaved().sse())) {
            ServerDefinition server = at(new ServerAddress.Http(http.endpoint(), Map.of()));
            Caller one = new Caller();
            Caller two = new Caller();

            FutureTask<JsonNode> first = SessionRig.start(() -> call(server, "one", 2, one));
            call(server, "two", 2, two);
            first.get();

            assertThat(one.received).containsExactly("info one");
            assertThat(two.received).containsExactly("info two");
            assertThat(receivedByAll()).isEmpty();
            TestSessions.retire(sessions, server.server());
        }
    }

    @Test
    void messagesOfACallerWithoutListenerGoToTheOthers() throws Exception {
        call(child(), "hello", 1, LogListener.NONE);

        assertThat(receivedByAll())
                .singleElement()
                .asString()
                .startsWith("default/logging says notifications/message")
                .contains("hello");
    }
}
