package dev.orloj.server.testing;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Decides for {@link NeedsChromium}. */
final class ChromiumCondition implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (Chromium.isInstalled()) {
            return ConditionEvaluationResult.enabled("Chromium is installed");
        }
        if (System.getenv("CI") != null) {
            throw new IllegalStateException(
                    "No Chromium, and CI does not skip the tests of it: apt-get install chromium");
        }
        String name = context.getRequiredTestClass().getSimpleName();
        System.out.println(name + " is skipped: it needs Chromium");
        return ConditionEvaluationResult.disabled("no Chromium");
    }
}
