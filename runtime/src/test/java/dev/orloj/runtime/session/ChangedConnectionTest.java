package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
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
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** A token that was changed, where several clients have sessions of their own. */
@Timeout(30)
@DisplayName("H-23")
class ChangedConnectionTest {

    private static final int CLIENTS = 5;

    private static final ServerDefinition BEFORE =
            Definitions.withIsolation(
                    Definitions.withIdleTimeout(Definitions.server("changed"), Duration.ofDays(1)),
                    new Isolation(SessionScope.AGENT, 10));

    private static final ServerDefinition AFTER = Definitions.generation(BEFORE, 2);

    @RegisterExtension private final SessionRig rig = new SessionRig();

    /** Known by its name; logs may reach it. */
    private record Client(String name) implements RequestingClient, LogListener {

        @Override
        public ClientCapabilities capabilities() {
            return ClientCapabilities.NONE;
        }

        @Override
        public Object identity() {
            return name;
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
            throw new AssertionError("asked " + method);
        }
    }

    private void callByAll(ServerDefinition server) throws InterruptedException {
        for (int client = 0; client < CLIENTS; client++) {
            SessionRequest request =
                    new SessionRequest(
                            "tools/call",
                            (ObjectNode) FakeTransports.json("{\"name\": \"echo\"}"),
                            SessionRig.TIMEOUT,
                            ProgressListener.NONE,
                            ParameterHeaders.NONE,
                            new Client("client-" + client));
            JsonNode result =
                    rig.manager.withSession(server, request, session -> session.call(request));
            assertThat(result.has("content")).isTrue();
        }
    }

    private void refuse() {
        rig.transports.on(
                "initialize",
                (connection, params) -> {
                    throw new TransportException("HTTP status 401", false);
                });
    }

    private void accept() {
        rig.transports.on(
                "initialize", (connection, params) -> FakeTransports.initializeResult(params));
    }

    private int attempts() {
        return rig.transports.made().size() - CLIENTS;
    }

    /** Until an attempt has failed for every client, so that each waits for the next one. */
    private void awaitFailures() {
        await().until(
                        () ->
                                rig.clock.delays().stream()
                                                .filter(delay -> delay.toHours() == 0)
                                                .count()
                                        == CLIENTS);
    }

    @Test
    void isTriedAsOftenAsIfAllSharedASession() throws Exception {
        callByAll(BEFORE);
        assertThat(attempts()).isZero();
        refuse();

        rig.manager.follow(AFTER);
        awaitFailures();
        callByAll(AFTER);
        assertThat(attempts()).isEqualTo(1);

        for (int round = 2; round < 6; round++) {
            int expected = round;
            rig.clock.advance(AFTER.reconnect().delayAfterOpenings(round - 1, () -> 0L));
            await().untilAsserted(() -> assertThat(attempts()).isEqualTo(expected));
            awaitFailures();
            callByAll(AFTER);
        }
        assertThat(attempts()).isEqualTo(5);
    }

    @Test
    void isTakenOverByAllOnceItWorks() throws Exception {
        callByAll(BEFORE);
        CountDownLatch answer = new CountDownLatch(1);
        rig.transports.on(
                "initialize",
                (connection, params) -> {
                    answer.await();
                    return FakeTransports.initializeResult(params);
                });

        rig.manager.follow(AFTER);
        await().until(() -> attempts() == 1);
        answer.countDown();

        await().until(() -> attempts() == CLIENTS && rig.transports.open().size() == CLIENTS);
        callByAll(AFTER);
        assertThat(attempts()).isEqualTo(CLIENTS);
    }

    @Test
    void isTriedByTheNextWhenTheFirstGivesUp() throws Exception {
        callByAll(BEFORE);
        refuse();
        rig.manager.follow(AFTER);
        awaitFailures();
        assertThat(attempts()).isEqualTo(1);

        accept();
        rig.clock.advance(Duration.ofMinutes(10));

        await().until(() -> attempts() == 1 + CLIENTS && rig.transports.open().size() == CLIENTS);
    }
}
