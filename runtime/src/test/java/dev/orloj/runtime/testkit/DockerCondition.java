package dev.orloj.runtime.testkit;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Decides for {@link NeedsDocker}. */
final class DockerCondition implements ExecutionCondition {

    /** Found out once for all classes of a test run. */
    private static final class Images {

        static final boolean READY = build();

        private static boolean build() {
            if (!succeeds(List.of("docker", "version"))) {
                return false;
            }
            Path script = script();
            if (!succeeds(List.of(script.toString()))) {
                throw new IllegalStateException(script + " has failed: run it to see why");
            }
            return true;
        }

        /** The folder of the module, or of the project, is the current one. */
        private static Path script() {
            Path script = Path.of("deploy", "test-images", "build");
            return Files.exists(script) ? script.toAbsolutePath() : Path.of("..").resolve(script);
        }

        private static boolean succeeds(List<String> command) {
            try {
                Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
                String output =
                        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                boolean success = process.waitFor() == 0;
                if (!success) {
                    System.out.print(output);
                }
                return success;
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
        if (Images.READY) {
            return ConditionEvaluationResult.enabled("Docker answers");
        }
        if (System.getenv("CI") != null) {
            throw new IllegalStateException(
                    "No Docker engine answers, and CI does not skip the tests of containers");
        }
        String name = context.getRequiredTestClass().getSimpleName();
        System.out.println(name + " is skipped: it needs a Docker engine, and none answers");
        return ConditionEvaluationResult.disabled("no Docker engine answers");
    }
}
