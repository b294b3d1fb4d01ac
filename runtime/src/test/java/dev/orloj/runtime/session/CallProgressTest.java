package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.testkit.RealSessions;
import dev.orloj.runtime.testkit.RecordedSessions;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.ServerAddress;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;

/** Calls with an idle timeout, to servers that report their progress, and to one that does not. */
@Timeout(60)
class CallProgressTest {

    private static final Duration WHOLE = Duration.ofSeconds(50);
    private static final Duration SILENCE = Duration.ofSeconds(2);

    /** Longer in all than the silence that is allowed, and never silent for so long. */
    private static final String LONG_WORK = "{\"steps\": 5, \"millis\": 500}";

    @TempDir private Path folder;

    @RegisterExtension private final RealSessions real = new RealSessions();

    @Test
    void progressOfAChildExtendsACall() throws Exception {
        assertThat(call(child(SILENCE), "progress", LONG_WORK)).hasToString(arrived());
    }

    @Test
    void progressOverHttpExtendsACall() throws Exception {
        try (FakeHttpServer server = FakeHttpServer.start(FakeScript.wellBehaved().sse())) {
            ServerDefinition definition =
                    Definitions.withAddress(
                            Definitions.server("fake"),
                            new ServerAddress.Http(server.endpoint(), Map.of()));

            JsonNode result =
                    call(
                            Definitions.withIdleCallTimeout(definition, SILENCE),
                            "progress",
                            LONG_WORK);

            assertThat(result).hasToString(arrived());
            TestSessions.retire(real.manager(), new ResourceKey("default", "fake"));
        }
    }

    @Test
    void silenceEndsACallThatHasTimeLeft() {
        assertThatExceptionOfType(RequestTimeoutException.class)
                .isThrownBy(() -> call(child(Duration.ofMillis(100)), "never", "{}"))
                .withMessage("No answer to \"tools/call\" and no progress within 100 ms")
                .satisfies(e -> assertThat(e.silent()).isTrue());
    }

    @Test
    void withoutAnIdleTimeoutNoProgressIsAskedFor() throws Exception {
        FakeTransports scripted = new FakeTransports();
        scripted.on("tools/call", (connection, params) -> params);
        try (SessionManager manager =
                new SessionManager(
                        scripted,
                        new RecordedSessions(),
                        real.clock(),
                        new Random(1),
                        SessionSettings.withVersion("1.2.3"))) {
            ServerDefinition server = Definitions.server("github");
            assertThat(call(manager, server, "echo", "{}").has("_meta")).isFalse();
            JsonNode asking =
                    call(
                            manager,
                            Definitions.generation(
                                    Definitions.withIdleCallTimeout(server, SILENCE), 2),
                            "echo",
                            "{}");
            assertThat(asking.path("_meta")).hasToString("{\"progressToken\":1}");
        }
    }

    private ServerDefinition child(Duration silence) {
        FakeStdioServer server = FakeStdioServer.in(folder, FakeScript.wellBehaved());
        ServerDefinition definition =
                Definitions.withAddress(
                        Definitions.server("fake"),
                        new ServerAddress.Stdio(server.command(), Map.of(), Duration.ofSeconds(1)));
        return Definitions.withIdleCallTimeout(definition, silence);
    }

    private JsonNode call(ServerDefinition definition, String tool, String arguments)
            throws InterruptedException {
        return call(real.manager(), definition, tool, arguments);
    }

    private static JsonNode call(
            SessionManager sessions, ServerDefinition definition, String tool, String arguments)
            throws InterruptedException {
        return TestSessions.callTool(
                sessions, definition, tool, FakeTransports.json(arguments), WHOLE);
    }

    private static String arrived() {
        return "{\"content\":[{\"type\":\"text\",\"text\":\"arrived\"}]}";
    }
}
