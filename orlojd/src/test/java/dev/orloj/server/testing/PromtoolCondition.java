package dev.orloj.server.testing;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Decides for {@link NeedsPromtool}. */
final class PromtoolCondition implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (isInstalled()) {
            return ConditionEvaluationResult.enabled("promtool is installed");
        }
        if (System.getenv("CI") != null) {
            throw new IllegalStateException(
                    "No promtool, and CI does not skip the tests of it: apt-get install"
                            + " prometheus");
        }
        String name = context.getRequiredTestClass().getSimpleName();
        System.out.println(name + " is skipped: it needs promtool of Prometheus");
        return ConditionEvaluationResult.disabled("no promtool");
    }

    private static boolean isInstalled() {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool")));
    }
}
