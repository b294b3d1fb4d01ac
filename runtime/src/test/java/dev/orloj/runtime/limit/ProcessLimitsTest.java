package dev.orloj.runtime.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.client.McpProtocolException;
import dev.orloj.runtime.session.SessionOpenException;
import dev.orloj.runtime.session.SessionRig;
import dev.orloj.runtime.session.TestSessions;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.lifecycle.SessionClosedException;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What happens when all servers together have as much as they may. */
@Timeout(30)
class ProcessLimitsTest {

    @RegisterExtension private final SessionRig rig = new SessionRig(new ProcessLimits(2, 0));

    private static ServerDefinition sleepy(String name) {
        return Definitions.withIdleTimeout(Definitions.server(name), Duration.ofHours(1));
    }

    private List<String> open() {
        return rig.manager.sessions().stream().map(info -> info.server().name()).sorted().toList();
    }

    @Test
    void sessionThatWasIdleLongestMakesRoom() throws Exception {
        rig.call(sleepy("a"));
        rig.clock.advance(Duration.ofSeconds(1));
        rig.call(sleepy("b"));
        rig.clock.advance(Duration.ofSeconds(1));
        rig.call(sleepy("a"));

        rig.call(sleepy("c"));

        assertThat(open()).containsExactly("a", "c");
        assertThat(rig.transports.open()).hasSize(2);
    }

    @Test
    void whatIsMeantToStayDoesNotMakeRoom() throws Exception {
        rig.call(Definitions.server("a"));
        rig.call(Definitions.server("b"));

        assertThatThrownBy(() -> rig.call(sleepy("c")))
                .isInstanceOf(SessionOpenException.class)
                .hasMessageContaining("--max-processes is 2")
                .cause()
                .isInstanceOfSatisfying(
                        LimitReachedException.class,
                        e -> assertThat(e.limit()).isEqualTo(Limit.MAX_PROCESSES));

        TestSessions.retire(rig.manager, Definitions.server("a").server());
        rig.call(sleepy("c"));
        assertThat(open()).containsExactly("b", "c");
    }

    @Test
    void sessionWithACallDoesNotMakeRoom() throws Exception {
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> running = SessionRig.start(() -> rig.call(sleepy("a")));
        held.arrived.await();
        TestSessions.sessionFor(rig.manager, sleepy("b"));

        TestSessions.sessionFor(rig.manager, sleepy("c"));
        assertThat(open()).containsExactly("a", "c");

        held.go.countDown();
        assertThat(running.get().has("content")).isTrue();
    }

    @Test
    void replacementNeedsNoRoomOfItsOwn() throws Exception {
        rig.call(Definitions.server("a"));
        rig.call(Definitions.server("b"));

        rig.call(Definitions.generation(Definitions.server("a"), 2));

        await().until(() -> rig.transports.open().size() == 2);
        assertThatThrownBy(() -> rig.call(sleepy("c"))).isInstanceOf(SessionOpenException.class);
    }

    @Test
    void openingThatFailsGivesItsRoomBack() throws Exception {
        rig.transports.on(
                "initialize",
                (connection, params) -> {
                    throw new McpProtocolException("speaks no known revision");
                });
        for (int i = 0; i < 5; i++) {
            ServerDefinition broken = sleepy("broken-" + i);
            assertThatThrownBy(() -> rig.call(broken)).hasMessageContaining("no known revision");
        }

        rig.transports.on(
                "initialize", (connection, params) -> FakeTransports.initializeResult(params));
        rig.call(Definitions.server("a"));
        rig.call(Definitions.server("b"));
        assertThat(open()).containsExactly("a", "b");
    }

    @Test
    void manyAtOnceNeverExceedTheCeiling() throws Exception {
        AtomicInteger most = new AtomicInteger();
        rig.transports.on(
                "tools/call",
                (connection, params) -> {
                    most.accumulateAndGet(rig.transports.open().size(), Math::max);
                    return FakeTransports.echo(params);
                });
        List<FutureTask<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            ServerDefinition server = sleepy("s" + i % 8);
            calls.add(SessionRig.start(() -> isCalledOrRefused(server)));
        }

        for (FutureTask<Boolean> call : calls) {
            assertThat(call.get()).isTrue();
        }
        assertThat(most.get()).isBetween(1, 2);
    }

    private boolean isCalledOrRefused(ServerDefinition server) throws InterruptedException {
        try {
            return rig.call(server).has("content");
        } catch (SessionOpenException e) {
            return e.getCause() instanceof LimitReachedException;
        } catch (SessionClosedException e) {
            // It made room for another one, three times in a row.
            return true;
        }
    }

    @Test
    void memoryIsLookedAtUntilThereIsEnough() throws Exception {
        AtomicLong used = new AtomicLong(3_000);
        ProcessQuota room =
                new ProcessQuota(
                        new ProcessLimits(0, 1_500),
                        used::get,
                        () -> used.addAndGet(-1_000) >= 1_000);

        room.take();
        assertThat(used).as("two had to end").hasValue(1_000);

        used.set(1_600);
        assertThatThrownBy(room::take)
                .isInstanceOfSatisfying(
                        LimitReachedException.class,
                        e -> assertThat(e.limit()).isEqualTo(Limit.MAX_PROCESS_MEMORY));
    }
}
