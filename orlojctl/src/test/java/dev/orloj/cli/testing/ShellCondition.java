package dev.orloj.cli.testing;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Decides for {@link NeedsShell}. */
final class ShellCondition implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String shell =
                AnnotationSupport.findAnnotation(context.getElement(), NeedsShell.class)
                        .orElseThrow()
                        .value();
        if (isInstalled(shell)) {
            return ConditionEvaluationResult.enabled(shell + " is installed");
        }
        if (System.getenv("CI") != null) {
            throw new IllegalStateException(
                    "No %1$s, and CI does not skip the tests of it: apt-get install %1$s"
                            .formatted(shell));
        }
        System.out.println(context.getDisplayName() + " is skipped: it needs " + shell);
        return ConditionEvaluationResult.disabled("no " + shell);
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
