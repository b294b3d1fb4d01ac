package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.testkit.SessionInfos;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

@DisplayName("H-23")
class SessionJournalTest {

    private static final ResourceKey SERVER = new ResourceKey("default", "git");

    private final ManualClock clock = new ManualClock();
    private final SessionJournal journal = new SessionJournal(clock);

    private SessionInfo session(boolean ownedByClient) {
        return SessionInfos.of(SERVER, clock.instant()).ownedByClient(ownedByClient).build();
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

    /** The status says Pending while the start of a process waits, and Connecting after that. */
    @Test
    void openingThatWaitsForItsTurnHasNotBegunWithTheOneThatItReplaced() {
        SessionKey replaced = new SessionKey("uid", 1, "mistyped");
        SessionKey next = new SessionKey("uid", 2, "corrected");
        Instant first = clock.instant();
        journal.starting(SERVER, replaced);
        clock.advance(Duration.ofSeconds(5));

        assertThat(journal.startingSince(SERVER, next)).isEmpty();
        assertThat(journal.startingSince(SERVER, replaced)).contains(first);

        journal.starting(SERVER, next);
        journal.opened(SERVER, SessionInfos.of(SERVER, first).key(1, "mistyped").build());

        assertThat(journal.startingSince(SERVER, next)).contains(clock.instant());
    }

    @Test
    void sessionOfAClientThatDiedIsCountedWithTheOthers() {
        die(false);
        die(true);

        assertThat(journal.failures(SERVER))
                .hasValueSatisfying(f -> assertThat(f.count()).isEqualTo(2));
    }
}
