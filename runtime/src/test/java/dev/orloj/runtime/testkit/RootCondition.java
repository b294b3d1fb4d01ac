package dev.orloj.runtime.testkit;

import com.sun.security.auth.module.UnixSystem;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.nio.file.Files;
import java.nio.file.Path;

/** Decides for {@link NeedsRoot}. */
final class RootCondition implements ExecutionCondition {

    private static final Path PROGRAM = Path.of("/usr/sbin/useradd");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (new UnixSystem().getUid() == 0 && Files.isExecutable(PROGRAM)) {
            return ConditionEvaluationResult.enabled("root may create accounts");
        }
        if (System.getenv("CI") != null) {
            throw new IllegalStateException(
                    "Not root, or no "
                            + PROGRAM
                            + ", and CI does not skip the tests of other users");
        }
        String name = context.getRequiredTestClass().getSimpleName();
        System.out.println(name + " is skipped: it needs root and " + PROGRAM);
        return ConditionEvaluationResult.disabled("not root, or no useradd");
    }
}
