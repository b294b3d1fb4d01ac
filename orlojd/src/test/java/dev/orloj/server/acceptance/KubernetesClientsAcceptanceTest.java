package dev.orloj.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.testing.AcceptanceSuite;
import dev.orloj.server.testing.OrlojdProcess;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Scripts of others that test clients of Kubernetes, each against an orlojd that has just been
 * installed: {@code kubectl-session.sh} and {@code wire-checks.py}. They are no part of this
 * repository, whose own are in {@code src/test/clients}.
 *
 * <p>{@code ORLOJ_ACCEPTANCE_KUBE} names their folder, {@code KUBECTL} the program when it is not
 * the one of the path.
 */
@Tag(AcceptanceSuite.CLIENTS)
@EnabledIfEnvironmentVariable(
        named = KubernetesClientsAcceptanceTest.SCRIPTS,
        matches = ".+",
        disabledReason = "optional: ORLOJ_ACCEPTANCE_KUBE names no folder of more scripts")
class KubernetesClientsAcceptanceTest {

    static final String SCRIPTS = "ORLOJ_ACCEPTANCE_KUBE";

    /** All of the session but "auth": no user is refused anything yet. */
    private static final List<String> SECTIONS =
            List.of(
                    "discovery",
                    "namespaces",
                    "apply",
                    "get",
                    "selectors",
                    "patch",
                    "ssa",
                    "validation",
                    "watch",
                    "describe",
                    "secrets",
                    "prune",
                    "delete");

    private static final Duration TIMEOUT = Duration.ofMinutes(8);

    @TempDir private Path folder;

    @Test
    void unmodifiedKubectlFindsNothingMissing() throws Exception {
        List<String> session = new ArrayList<>(List.of("bash", script("kubectl-session.sh")));
        session.addAll(SECTIONS);
        Map<String, String> kubectl =
                Map.of(
                        "KUBECTL",
                        Path.of("src/test/clients/kubectl/settled").toAbsolutePath().toString(),
                        "UNMODIFIED_KUBECTL",
                        Optional.ofNullable(System.getenv("KUBECTL")).orElse("kubectl"));

        assertThat(outputOf("session", kubectl, session)).contains(" 0 failed");
    }

    @Test
    void everyWireCheckPasses() throws Exception {
        assertThat(outputOf("wire", Map.of(), List.of("python3", script("wire-checks.py"))))
                .contains(" 0 failed");
    }

    private static String script(String name) {
        return Path.of(System.getenv(SCRIPTS)).resolve(name).toString();
    }

    private String outputOf(String run, Map<String, String> variables, List<String> command)
            throws Exception {
        try (OrlojdProcess orlojd = OrlojdProcess.start(folder.resolve(run))) {
            Map<String, String> environment = new HashMap<>(variables);
            environment.put("SERVER", orlojd.url());
            return Command.run(folder, TIMEOUT, environment, command);
        }
    }
}
