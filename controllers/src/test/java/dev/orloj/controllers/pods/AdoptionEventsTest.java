package dev.orloj.controllers.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.core.Event;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.mcpserver.Manifests;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.testkit.SessionInfos;
import dev.orloj.runtime.workload.ContainerRef;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

class AdoptionEventsTest {

    private static final ResourceKey SERVER = new ResourceKey("default", "memory");
    private static final Instant CREATED = Instant.parse("2026-01-02T03:04:05Z");

    private final ManualClock clock = new ManualClock();
    private final MemoryResourceClient store = new MemoryResourceClient(clock);
    private final AdoptionEvents adoptions = new AdoptionEvents(store, clock);

    private SessionInfo session(Optional<Instant> adoptedFrom) {
        return SessionInfos.of(SERVER, clock.instant())
                .container(new ContainerRef("c0ffee", "orloj-memory", "image", adoptedFrom))
                .build();
    }

    private List<Event> events() {
        return store.list(Event.KIND, ListOptions.everything()).items();
    }

    private void createServer() {
        store.create(
                McpServer.KIND,
                Manifests.server(
                        "default", "memory", "\"transport\": \"stdio\", \"image\": \"mcp\""));
    }

    @Test
    void sessionWithAPodThatRanBeforeIsAnEvent() {
        createServer();

        adoptions.opened(SERVER, session(Optional.of(CREATED)));

        await().until(() -> !events().isEmpty());
        Event event = events().getFirst();
        assertThat(event.reason()).isEqualTo("Adopted");
        assertThat(event.type()).isEqualTo("Normal");
        assertThat(event.message())
                .isEqualTo(
                        "The session uses Pod \"orloj-memory\", which was created"
                                + " 2026-01-02T03:04:05Z");
    }

    @Test
    void podThatDidNotServeIsAWarning() {
        createServer();

        adoptions.notAdopted(SERVER, "orloj-memory", "it refuses");

        await().until(() -> !events().isEmpty());
        Event event = events().getFirst();
        assertThat(event.reason()).isEqualTo("NotAdopted");
        assertThat(event.type()).isEqualTo("Warning");
        assertThat(event.message())
                .isEqualTo("Pod \"orloj-memory\" of an earlier session is replaced: it refuses");
    }

    @Test
    void adoptedProcessStartedBeforeItsSession() {
        assertThat(ServerProcess.of(session(Optional.of(CREATED)), null).startedAt())
                .isEqualTo(CREATED);
        assertThat(ServerProcess.of(session(Optional.empty()), null).startedAt())
                .isEqualTo(clock.instant());
    }
}
