package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransport;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.transport.TransportException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers that are given several sessions for calls at the same time. */
@Timeout(30)
class SeveralSessionsTest {

    private static final ServerDefinition THREE =
            Definitions.withMaxSessions(Definitions.server("github"), 3);
    private static final ResourceKey KEY = THREE.server();

    @RegisterExtension private final SessionRig rig = new SessionRig();

    /** Calls in flight by the connection that they went to. */
    private final Map<FakeTransport, AtomicInteger> inFlight = new ConcurrentHashMap<>();

    private final CountDownLatch go = new CountDownLatch(1);

    private void holdCalls() {
        rig.transports.on(
                "tools/call",
                (connection, params) -> {
                    inFlight.computeIfAbsent(connection, c -> new AtomicInteger())
                            .incrementAndGet();
                    go.await();
                    return FakeTransports.echo(params);
                });
    }

    private List<FutureTask<JsonNode>> callOneByOne(int count) {
        List<FutureTask<JsonNode>> calls = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            int expected = i;
            calls.add(SessionRig.start(() -> rig.call(THREE)));
            await().until(() -> callsInFlight() == expected);
        }
        return calls;
    }

    /** Only calls that their server holds; one that was only received is not counted yet. */
    private int callsInFlight() {
        return inFlight.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    @Test
    void callsOneAfterTheOtherShareASession() throws Exception {
        for (int i = 0; i < 5; i++) {
            rig.call(THREE);
        }

        assertThat(rig.transports.made()).hasSize(1);
    }

    @Test
    void callsAtTheSameTimeAreSpreadUpToTheLimit() throws Exception {
        holdCalls();

        List<FutureTask<JsonNode>> calls = callOneByOne(7);

        assertThat(rig.transports.made()).hasSize(3);
        assertThat(inFlight.values())
                .extracting(AtomicInteger::get)
                .containsExactlyInAnyOrder(3, 2, 2);
        go.countDown();
        for (FutureTask<JsonNode> call : calls) {
            assertThat(call.get().has("content")).isTrue();
        }
    }

    @Test
    void firstSessionStaysAndTheOthersAreClosedWhenIdle() throws Exception {
        holdCalls();
        List<FutureTask<JsonNode>> calls = callOneByOne(3);
        String first = rig.manager.liveSession(KEY).orElseThrow().toString();
        go.countDown();
        for (FutureTask<JsonNode> call : calls) {
            call.get();
        }

        rig.clock.advance(Duration.ofMinutes(1));

        await().untilAsserted(
                        () ->
                                assertThat(rig.manager.sessions(KEY))
                                        .singleElement()
                                        .extracting(SessionInfo::id)
                                        .isEqualTo(first));
        assertThat(rig.transports.open()).hasSize(1);
    }

    @Test
    void sessionThatDoesNotOpenCostsNoCall() throws Exception {
        holdCalls();
        List<FutureTask<JsonNode>> calls = new ArrayList<>(callOneByOne(1));
        rig.transports.on(
                "initialize",
                (connection, params) -> {
                    throw new TransportException("no more processes", true);
                });

        calls.add(SessionRig.start(() -> rig.call(THREE)));
        await().until(() -> rig.transports.count("tools/call") == 2);
        go.countDown();

        for (FutureTask<JsonNode> call : calls) {
            assertThat(call.get().has("content")).isTrue();
        }
    }

    @Test
    void sessionsOfAnImageThatItsTagNoLongerStandsForAreReplaced() throws Exception {
        holdCalls();
        rig.transports.image("sha256:old");
        List<FutureTask<JsonNode>> calls = new ArrayList<>(callOneByOne(1));
        rig.transports.image("sha256:new");

        calls.add(SessionRig.start(() -> rig.call(THREE)));
        await().until(() -> rig.transports.count("tools/call") == 2);
        go.countDown();

        for (FutureTask<JsonNode> call : calls) {
            assertThat(call.get().has("content")).isTrue();
        }
        await().until(() -> rig.transports.made().getFirst().isClosed());
        await().untilAsserted(
                        () ->
                                assertThat(rig.manager.sessions(KEY))
                                        .extracting(info -> info.container().orElseThrow().image())
                                        .containsExactly("sha256:new", "sha256:new"));
    }

    @Test
    void deathOfOneLeavesTheOthers() throws Exception {
        holdCalls();
        List<FutureTask<JsonNode>> calls = callOneByOne(3);

        rig.transports.made().get(1).die("exited with code 1");

        assertThatThrownBy(calls.get(1)::get).hasCauseInstanceOf(TransportException.class);
        go.countDown();
        assertThat(calls.get(0).get().has("content")).isTrue();
        assertThat(calls.get(2).get().has("content")).isTrue();
        await().untilAsserted(() -> assertThat(rig.manager.restarts(KEY)).isEqualTo(1));
    }

    @Test
    void changeReplacesAllOfThemAndALowerLimitClosesSome() throws Exception {
        holdCalls();
        List<FutureTask<JsonNode>> calls = callOneByOne(3);
        go.countDown();
        for (FutureTask<JsonNode> call : calls) {
            call.get();
        }

        rig.manager.follow(Definitions.withMaxSessions(Definitions.generation(THREE, 2), 2));

        await().untilAsserted(
                        () ->
                                assertThat(rig.manager.sessions(KEY))
                                        .extracting(SessionInfo::generation)
                                        .containsExactly(2L, 2L));
        await().until(() -> rig.transports.open().size() == 2);
    }

    @Test
    void retireLeavesNothing() throws Exception {
        holdCalls();
        List<FutureTask<JsonNode>> calls = callOneByOne(2);
        go.countDown();
        for (FutureTask<JsonNode> call : calls) {
            call.get();
        }

        TestSessions.retire(rig.manager, KEY);

        assertThat(rig.transports.open()).isEmpty();
        assertThat(rig.manager.sessions()).isEmpty();
    }
}
