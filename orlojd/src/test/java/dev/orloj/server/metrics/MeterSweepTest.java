package dev.orloj.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.observation.CallId;
import dev.orloj.runtime.observation.CallObservation;
import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.observation.CallRecord;
import dev.orloj.runtime.observation.RequestEnd;
import dev.orloj.runtime.observation.SentRequest;
import dev.orloj.runtime.transport.ServerAddress;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

class MeterSweepTest {

    private static final ResourceKey GITHUB = new ResourceKey("default", "github");
    private static final ResourceKey MAIL = new ResourceKey("default", "mail");

    private static final ServerAddress ADDRESS =
            new ServerAddress.Stdio(List.of("server"), Map.of(), Duration.ZERO);

    private final SystemScheduler clock = new SystemScheduler();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Set<ResourceKey> there = new HashSet<>(Set.of(GITHUB, MAIL));
    private final CallMetrics calls = new CallMetrics(registry);
    private final MeterSweep sweep = new MeterSweep(registry, there::contains, calls, clock);

    @AfterEach
    void stop() {
        clock.close();
    }

    private void request(ResourceKey server) {
        calls.sent(
                        new SentRequest(
                                server,
                                ADDRESS,
                                server + "#1",
                                "2025-11-25",
                                "tools/call",
                                Json.MAPPER.createObjectNode(),
                                new CallObservation(CallObserver.NONE)))
                .ended(RequestEnd.answered(Json.MAPPER.createObjectNode()));
    }

    private long count(ResourceKey server) {
        return registry
                .find("mcp.client.operation.duration")
                .tag("server", server.name())
                .timers()
                .stream()
                .mapToLong(Timer::count)
                .sum();
    }

    @Test
    void metersOfAServerThatIsGoneGo() {
        request(GITHUB);
        request(MAIL);
        there.remove(GITHUB);

        sweep.sweep();

        assertThat(registry.find("mcp.client.operation.duration").tag("server", "github").timers())
                .isEmpty();
        assertThat(count(MAIL)).isEqualTo(1);
    }

    @Test
    void serverThatComesBackIsCountedAnew() {
        request(GITHUB);
        there.remove(GITHUB);
        sweep.sweep();
        there.add(GITHUB);

        request(GITHUB);

        assertThat(count(GITHUB)).isEqualTo(1);
    }

    /** A call of a declared tool, which has no server. */
    private void callDeclared(CallMetrics calls, String namespace) {
        calls.called(
                new CallRecord(
                        "ada",
                        new ResourceKey(namespace, "weather"),
                        Optional.of(ToolEntry.noServer(namespace)),
                        Instant.EPOCH,
                        Duration.ZERO,
                        "Completed",
                        CallId.NONE,
                        new CallObservation(CallObserver.NONE).end(),
                        Optional.empty()));
    }

    @Test
    void metersOfDeclaredToolsGoWithTheLastOfTheirNamespace() {
        callDeclared(calls, "gone");
        callDeclared(calls, "kept");
        there.add(ToolEntry.noServer("kept"));

        sweep.sweep();

        assertThat(registry.find("orloj.tool.calls").timers())
                .extracting(timer -> timer.getId().getTag("namespace"))
                .containsExactly("kept");
    }

    @Test
    void metersOfNoServerStay() {
        registry.counter("orloj.other").increment();

        sweep.sweep();

        assertThat(registry.find("orloj.other").counter()).isNotNull();
    }
}
