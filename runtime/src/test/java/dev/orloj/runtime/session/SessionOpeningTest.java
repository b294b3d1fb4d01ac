package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.client.McpProtocolException;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.client.VersionNegotiation;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.workload.LogBuffer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.concurrent.FutureTask;

@Timeout(30)
class SessionOpeningTest {

    private static final ServerDefinition THREE_ATTEMPTS =
            Definitions.withReconnect(Definitions.server("github"), 3, Duration.ofSeconds(2));

    @RegisterExtension private final SessionRig rig = new SessionRig();

    private final FakeTransports transports = rig.transports;

    @Test
    void reconnectAttemptsAndBackoffAreObeyed() throws Exception {
        failFirst(2);
        FutureTask<Session> opening =
                SessionRig.start(() -> TestSessions.sessionFor(rig.manager, THREE_ATTEMPTS));

        awaitAttempts(1);
        assertThat(rig.clock.delays()).containsExactly(Duration.ofSeconds(2));
        rig.clock.advance(Duration.ofMillis(1_999));
        assertThat(transports.made()).hasSize(1);
        rig.clock.advance(Duration.ofMillis(1));
        awaitAttempts(2);
        assertThat(rig.clock.delays()).containsExactly(Duration.ofSeconds(4));
        rig.clock.advance(Duration.ofSeconds(4));

        assertThat(opening.get().isReady()).isTrue();
        assertThat(transports.made()).hasSize(3);
        assertThat(transports.open()).hasSize(1);
    }

    @Test
    void exhaustedAttemptsCarryCauseAndLastLinesOfStderr() {
        failFirst(99);
        FutureTask<Session> opening =
                SessionRig.start(() -> TestSessions.sessionFor(rig.manager, THREE_ATTEMPTS));
        awaitAttempts(1);
        rig.clock.advance(Duration.ofSeconds(2));
        awaitAttempts(2);
        rig.clock.advance(Duration.ofSeconds(4));

        assertThatThrownBy(opening::get)
                .cause()
                .isInstanceOf(SessionOpenException.class)
                .hasMessage(
                        "Cannot open a session with server \"default/github\" in 3 attempts: exited"
                                + " with code 1")
                .hasCauseInstanceOf(TransportException.class);
        assertThat(rig.manager.log(THREE_ATTEMPTS.server()).tail(1))
                .extracting(LogBuffer.Line::text)
                .containsExactly("cannot find module 3");
        assertThat(transports.open()).isEmpty();
    }

    @Test
    void failedOpeningIsNotRemembered() throws Exception {
        failFirst(1);
        ServerDefinition once = Definitions.server("github");
        assertThatThrownBy(() -> TestSessions.sessionFor(rig.manager, once))
                .isInstanceOf(SessionOpenException.class);

        assertThat(TestSessions.sessionFor(rig.manager, once).isReady()).isTrue();
    }

    @Test
    void retireEndsTheWaitBetweenAttempts() throws Exception {
        failFirst(99);
        FutureTask<Session> opening =
                SessionRig.start(() -> TestSessions.sessionFor(rig.manager, THREE_ATTEMPTS));
        awaitAttempts(1);

        TestSessions.retire(rig.manager, THREE_ATTEMPTS.server());

        assertThatThrownBy(opening::get)
                .cause()
                .hasMessageEndingWith("the opening was broken off after: exited with code 1");
    }

    @Test
    void newerVersionBreaksOffTheOpeningOfTheOlderAndServesItsCallers() throws Exception {
        failFirst(1);
        FutureTask<Session> older =
                SessionRig.start(() -> TestSessions.sessionFor(rig.manager, THREE_ATTEMPTS));
        awaitAttempts(1);

        Session newer =
                TestSessions.sessionFor(rig.manager, Definitions.generation(THREE_ATTEMPTS, 2));

        assertThat(older.get()).isSameAs(newer);
        assertThat(transports.made()).hasSize(2);
        await().untilAsserted(() -> assertThat(rig.clock.delays()).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    void everyKnownRevisionIsAccepted(String version) throws Exception {
        answerInitialize("{\"protocolVersion\": \"%s\"}".formatted(version));

        Session session = TestSessions.sessionFor(rig.manager, THREE_ATTEMPTS);

        assertThat(session.identity().protocolVersion()).isEqualTo(version);
        assertThat(transports.latest().negotiatedVersion()).hasToString(version);
    }

    @Test
    void unknownRevisionIsRefusedAtOnceNamingBoth() {
        answerInitialize("{\"protocolVersion\": \"2099-01-01\"}");

        assertThatThrownBy(() -> TestSessions.sessionFor(rig.manager, THREE_ATTEMPTS))
                .isInstanceOf(SessionOpenException.class)
                .hasMessageContaining("\"2099-01-01\"")
                .hasMessageContaining("2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25");
        assertThat(transports.made()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "null", "7", "{\"protocolVersion\": 5}"})
    void answerWithoutAVersionIsRefused(String answer) {
        answerInitialize(answer);

        assertThatThrownBy(() -> TestSessions.sessionFor(rig.manager, THREE_ATTEMPTS))
                .isInstanceOf(SessionOpenException.class)
                .hasCauseInstanceOf(McpProtocolException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"capabilities\": 5, \"serverInfo\": []",
                "\"capabilities\": null, \"instructions\": {}",
                "\"x\": 1"
            })
    void oddIdentityIsTakenAsAbsent(String odd) throws Exception {
        answerInitialize("{\"protocolVersion\": \"2025-06-18\", %s}".formatted(odd));

        ServerIdentity identity = TestSessions.sessionFor(rig.manager, THREE_ATTEMPTS).identity();

        assertThat(identity.capabilities()).isEqualTo(FakeTransports.json("{}"));
        assertThat(identity.serverInfo()).isEqualTo(FakeTransports.json("{}"));
        assertThat(identity.instructions()).isEmpty();
    }

    @Test
    void errorOfTheServerIsTriedAgain() {
        transports.on(
                "initialize",
                (connection, params) -> {
                    throw new JsonRpcException(SessionRig.error(-32000));
                });

        assertThatThrownBy(() -> TestSessions.sessionFor(rig.manager, Definitions.server("github")))
                .isInstanceOf(SessionOpenException.class)
                .hasMessageContaining("-32000");
    }

    @Test
    void initializeHasTheStartupTimeout() throws Exception {
        TestSessions.sessionFor(rig.manager, THREE_ATTEMPTS);

        assertThat(transports.latest().timeouts())
                .containsExactly(
                        VersionNegotiation.PROBE_TIMEOUT, THREE_ATTEMPTS.timeouts().startup());
    }

    private void failFirst(int failures) {
        transports.on(
                "initialize",
                (connection, params) -> {
                    int attempt = transports.made().size();
                    if (attempt <= failures) {
                        connection.log("cannot find module " + attempt);
                        throw new TransportException("exited with code 1", true);
                    }
                    return FakeTransports.initializeResult(params);
                });
    }

    private void answerInitialize(String answer) {
        transports.on("initialize", (connection, params) -> FakeTransports.json(answer));
    }

    private void awaitAttempts(int attempts) {
        await().untilAsserted(
                        () -> {
                            assertThat(transports.made()).hasSize(attempts);
                            assertThat(rig.clock.delays()).hasSize(1);
                        });
    }
}
