package dev.orloj.server.testing;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

import java.util.List;

/** Decides for {@link AcceptanceSuite}. */
final class AcceptanceCondition implements ExecutionCondition {

    /** Names of suites, with commas between them; the Maven profiles set it. */
    private static final String SELECTED = "orloj.acceptance";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(
                        context.getRequiredTestClass(), AcceptanceSuite.class)
                .map(suite -> evaluate(suite.value(), System.getProperty(SELECTED, "")))
                .orElseThrow();
    }

    static ConditionEvaluationResult evaluate(String suite, String selected) {
        if (List.of(selected.split(",", -1)).contains(suite)) {
            return ConditionEvaluationResult.enabled("selected by " + SELECTED);
        }
        return ConditionEvaluationResult.disabled(
                "an acceptance suite: ./mvnw verify -P%s".formatted(suite));
    }
}
