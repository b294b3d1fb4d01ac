package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.isolation.Isolation;
import dev.orloj.runtime.isolation.SessionScope;
import dev.orloj.runtime.limit.ProcessLimits;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** Calls in an open session, while something else goes on with the server. */
@Timeout(30)
@DisplayName("H-23")
class WarmCallsTest {

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    @RegisterExtension
    private final SessionRig rig = new SessionRig(ProcessLimits.NONE, this::random);

    @AfterEach
    void letGo() {
        go.countDown();
    }

    /** Is asked under the lock of the server, for the wait after an opening that failed. */
    private long random() {
        held.countDown();
        try {
            go.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return 0;
    }

    private JsonNode call(ServerDefinition server) throws InterruptedException {
        SessionRequest request =
                new SessionRequest(
                        "tools/call",
                        (ObjectNode) FakeTransports.json("{\"name\": \"echo\"}"),
                        SessionRig.TIMEOUT,
                        ProgressListener.NONE,
                        ParameterHeaders.NONE,
                        RequestingClient.NONE);
        return rig.manager.withSession(server, request, session -> session.call(request));
    }

    @Test
    void doNotWaitForTheLockOfTheServer() throws Exception {
        ServerDefinition server =
                Definitions.withIsolation(
                        Definitions.server("warm"), new Isolation(SessionScope.DETECTED, 10));
        call(server);
        rig.transports.on(
                "initialize",
                (connection, params) -> {
                    throw new TransportException("no", false);
                });
        rig.manager.start(Definitions.generation(server, 2), Optional.empty());
        held.await();

        FutureTask<JsonNode> call = SessionRig.start(() -> call(server));

        assertThat(call.get().has("content")).isTrue();
    }
}
