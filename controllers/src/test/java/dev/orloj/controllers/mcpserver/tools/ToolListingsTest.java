package dev.orloj.controllers.mcpserver.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.mcpserver.Manifests;
import dev.orloj.controllers.mcpserver.SessionJournal;
import dev.orloj.controllers.mcpserver.tools.ToolListings.State;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.session.Session;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.TestSessions;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Random;

class ToolListingsTest {

    private final ManualClock clock = new ManualClock();
    private final SystemScheduler scheduler = new SystemScheduler();
    private final SessionManager sessions =
            new SessionManager(
                    new FakeTransports(),
                    new SessionJournal(clock),
                    scheduler,
                    new Random(1),
                    SessionSettings.withVersion("test"));
    private final ServerDefinition definition = Definitions.server("git");
    private final McpServer server =
            Manifests.server("default", "git", "\"transport\": \"stdio\", \"command\": \"git\"");
    private final ToolListings listings =
            new ToolListings(clock, Duration.ofMinutes(5), _ -> Definitions.LISTING, _ -> {});

    @AfterEach
    void close() throws InterruptedException {
        sessions.close();
        scheduler.close();
    }

    /** Issue 18: a closed session holds the buffers of its process, 25 kB of heap. */
    @Test
    void sessionThatIsClosedIsNotHeldByItsListing() throws InterruptedException {
        Session session = TestSessions.sessionFor(sessions, definition);
        listings.start(server, session, 0);
        await().until(() -> state(session) instanceof State.Done);
        listings.release(server.key());
        assertThat(state(session)).as("not used yet").isInstanceOf(State.Done.class);

        listings.used(server.key(), listings.find(server.key(), session));
        listings.release(server.key());
        assertThat(state(session)).as("open").isInstanceOf(State.Used.class);

        TestSessions.retire(sessions, definition.server());
        listings.release(server.key());

        assertThat(state(session)).isInstanceOf(State.NotAsked.class);
    }

    private State state(Session session) {
        return listings.find(server.key(), session).state();
    }
}
