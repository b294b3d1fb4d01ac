package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.definition.SessionKey;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Optional;

@DisplayName("H-23")
class SessionJournalTest {

    private static final ResourceKey SERVER = new ResourceKey("default", "git");

    private final ManualClock clock = new ManualClock();
    private final SessionJournal journal = new SessionJournal(clock);

    private SessionInfo session(boolean ownedByClient) {
        return new SessionInfo(
                "default/git#1",
                SERVER,
                new SessionKey("uid", 1, "connection"),
                "Ready",
                "2025-06-18",
                Optional.empty(),
                clock.instant(),
                clock.instant(),
                0,
                0,
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                ownedByClient);
    }

    private void die(boolean ownedByClient) {
        journal.closed(SERVER, session(ownedByClient), "exit code 3", true);
    }

    @Test
    void sessionsOfClientsNeitherShortenNorProlongTheWaitOfACrashLoop() {
        die(false);
        die(false);
        Optional<SessionJournal.Ending> loop = journal.ending(SERVER);

        journal.opened(SERVER, session(true));
        die(true);
        journal.closed(SERVER, session(true), "its client is done", false);

        assertThat(loop).hasValueSatisfying(e -> assertThat(e.deaths()).isEqualTo(2));
        assertThat(journal.ending(SERVER)).isEqualTo(loop);
    }

    @Test
    void sessionOfAClientThatDiedIsCountedWithTheOthers() {
        die(false);
        die(true);

        assertThat(journal.failures(SERVER))
                .hasValueSatisfying(f -> assertThat(f.count()).isEqualTo(2));
    }
}
