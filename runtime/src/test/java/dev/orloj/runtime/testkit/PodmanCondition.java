package dev.orloj.runtime.testkit;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.io.IOException;

/** Decides for {@link NeedsPodman}. */
final class PodmanCondition implements ExecutionCondition {

    /** Found out once for all classes of a test run. */
    private static final class Installed {

        static final boolean AS_ROOT = "root".equals(System.getProperty("user.name")) && answers();

        private static boolean answers() {
            try {
                Process podman =
                        new ProcessBuilder("podman", "--version")
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .redirectErrorStream(true)
                                .start();
                return podman.waitFor() == 0;
            } catch (IOException e) {
                return false; // there is no such program
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (Installed.AS_ROOT) {
            return ConditionEvaluationResult.enabled("Podman is installed");
        }
        if (System.getenv("CI") != null) {
            throw new IllegalStateException(
                    "No Podman as root, and CI does not skip the tests of it: apt-get install"
                            + " podman");
        }
        String name = context.getRequiredTestClass().getSimpleName();
        System.out.println(name + " is skipped: it needs Podman, as root");
        return ConditionEvaluationResult.disabled("no Podman as root");
    }
}
