package dev.orloj.api.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.Condition;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A linter of conditions, to be run on the status of every resource after every reconcile in tests.
 */
public final class ConditionChecks {

    private ConditionChecks() {}

    /**
     * Fails unless the conditions are as they should be.
     *
     * @param subject named in the failure
     * @param generation the generation that the status says it has observed
     * @param secrets texts that may appear nowhere
     */
    public static void check(
            String subject, List<Condition> conditions, long generation, List<String> secrets) {
        assertThat(conditions)
                .as("conditions of %s", subject)
                .extracting(Condition::type)
                .contains("Ready");
        Set<String> types = new HashSet<>();
        for (Condition condition : conditions) {
            String what = "condition %s of %s".formatted(condition.type(), subject);
            assertThat(types.add(condition.type())).as("%s is there once", what).isTrue();
            assertThat(condition.type()).as(what).matches("[A-Z][A-Za-z0-9]*");
            assertThat(condition.reason()).as("reason of %s", what).matches("[A-Z][A-Za-z0-9]*");
            assertThat(condition.message())
                    .as("message of %s", what)
                    .isNotBlank()
                    .doesNotContain("\n", "\r")
                    .doesNotEndWith(".");
            assertThat(condition.lastTransitionTime()).as("transition of %s", what).isNotNull();
            var observed =
                    assertThat(condition.observedGeneration()).as("observedGeneration of %s", what);
            if (condition.reason().equals("ServedAsBefore")) {
                observed.isBetween(1L, generation);
            } else {
                observed.isEqualTo(generation);
            }
            for (String secret : secrets) {
                assertThat(condition.message()).as("message of %s", what).doesNotContain(secret);
            }
        }
    }
}
