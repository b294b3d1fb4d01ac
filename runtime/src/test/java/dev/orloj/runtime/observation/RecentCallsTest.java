package dev.orloj.runtime.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

class RecentCallsTest {

    private final RecentCalls calls = new RecentCalls(3);
    private final CallIds ids = new CallIds("box-1", Instant.EPOCH);

    private static CallRecord record(CallId id) {
        return new CallRecord(
                "somebody",
                new ResourceKey("default", "a--b"),
                Optional.empty(),
                Instant.EPOCH,
                Duration.ZERO,
                "Completed",
                id,
                new CallObservation(CallObserver.NONE).end(),
                Optional.empty());
    }

    @Test
    void theLatestCallsAreKeptAndFound() {
        for (int i = 0; i < 5; i++) {
            calls.called(record(ids.next()));
        }

        assertThat(calls.list())
                .extracting(call -> call.id().text())
                .containsExactly("box-1.5", "box-1.4", "box-1.3");
        assertThat(calls.find("box-1.3")).isPresent();
        assertThat(calls.find("box-1.2")).isEmpty();
    }

    @Test
    void callWithoutAnIdTakesNoPlace() {
        calls.called(record(CallId.NONE));

        assertThat(calls.list()).isEmpty();
    }

    @Test
    void idSaysWhichReplicaKnowsTheCall() {
        assertThat(new CallIds("a.b-c", Instant.now()).next().replica()).isEqualTo("a.b-c");
        assertThat(new CallId("nonsense").replica()).isEmpty();
        assertThat(CallId.NONE.replica()).isEmpty();
    }

    @Test
    void idsOfALaterStartAreOthers() {
        Instant start = Instant.parse("2026-01-01T00:00:00Z");

        assertThat(new CallIds("a", start).next())
                .isNotEqualTo(new CallIds("a", start.plusMillis(1)).next());
    }
}
