package dev.orloj.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

class ConditionsTest {

    private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant NOW = Instant.parse("2026-01-01T00:01:00.987Z");

    private static final List<Condition> CURRENT =
            Conditions.merge(
                    List.of(),
                    List.of(
                            Condition.isTrue("Accepted", "Valid", "ok"),
                            Condition.isFalse("Ready", "Starting", "not yet")),
                    1,
                    THEN);

    @Test
    void newConditionsGetTheTimeInWholeSeconds() {
        List<Condition> merged =
                Conditions.merge(List.of(), List.of(Condition.isTrue("Ready", "Up", "")), 1, NOW);

        assertThat(merged.getFirst().lastTransitionTime())
                .isEqualTo(Instant.parse("2026-01-01T00:01:00Z"));
    }

    @Test
    void transitionTimeStaysWhileTheStatusDoes() {
        List<Condition> merged =
                Conditions.merge(
                        CURRENT, List.of(Condition.isFalse("Ready", "Failed", "no")), 2, NOW);

        Condition ready = Conditions.find(merged, "Ready").orElseThrow();
        assertThat(ready.lastTransitionTime()).isEqualTo(THEN);
        assertThat(ready.reason()).isEqualTo("Failed");
        assertThat(ready.observedGeneration()).isEqualTo(2);
    }

    @Test
    void transitionTimeMovesWithTheStatus() {
        List<Condition> merged =
                Conditions.merge(CURRENT, List.of(Condition.isTrue("Ready", "Up", "")), 1, NOW);

        assertThat(Conditions.find(merged, "Ready").orElseThrow().lastTransitionTime())
                .isNotEqualTo(THEN);
        assertThat(Conditions.isTrue(merged, "Ready")).isTrue();
    }

    @Test
    void orderAndUnobservedConditionsStay() {
        List<Condition> merged =
                Conditions.merge(
                        CURRENT,
                        List.of(
                                Condition.unknown("New", "Why", ""),
                                Condition.isTrue("Accepted", "Valid", "ok")),
                        1,
                        NOW);

        assertThat(merged).extracting(Condition::type).containsExactly("Accepted", "Ready", "New");
        assertThat(merged.get(1)).isEqualTo(CURRENT.get(1));
    }

    @Test
    void mergingTheSameTwiceChangesNothing() {
        List<Condition> observed = List.of(Condition.isFalse("Ready", "Starting", "not yet"));
        List<Condition> once = Conditions.merge(CURRENT, observed, 1, NOW);

        assertThat(Conditions.merge(once, observed, 1, NOW.plusSeconds(60))).isEqualTo(once);
    }

    @Test
    void absentConditionsAreNotTrue() {
        assertThat(Conditions.isTrue(CURRENT, "Connected")).isFalse();
        assertThat(Conditions.find(CURRENT, "Connected")).isEmpty();
    }
}
