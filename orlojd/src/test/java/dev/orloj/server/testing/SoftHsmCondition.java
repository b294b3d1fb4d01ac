package dev.orloj.server.testing;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Decides for {@link NeedsSoftHsm}. */
final class SoftHsmCondition implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (isInstalled()) {
            return ConditionEvaluationResult.enabled("SoftHSM and OpenSC are installed");
        }
        if (System.getenv("CI") != null) {
            throw new IllegalStateException(
                    "No SoftHSM or OpenSC, and CI does not skip the tests of it: apt-get install"
                            + " softhsm2 opensc");
        }
        String name = context.getRequiredTestClass().getSimpleName();
        System.out.println(name + " is skipped: it needs softhsm2-util and pkcs11-tool");
        return ConditionEvaluationResult.disabled("no SoftHSM");
    }

    private static boolean isInstalled() {
        return isInstalled("softhsm2-util") && isInstalled("pkcs11-tool");
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
