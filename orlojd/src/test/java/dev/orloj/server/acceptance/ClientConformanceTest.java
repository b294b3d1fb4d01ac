package dev.orloj.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.server.testing.AcceptanceSuite;
import dev.orloj.server.testing.RegistryCache;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The official conformance suite judges what orlojd sends to MCP servers. For each scenario it
 * starts a server and {@link ConformanceClient}, which applies the server to orlojd and uses it
 * through {@code /mcp}. What fails has to stand in the baseline, and what stands there has to fail.
 */
@Tag(AcceptanceSuite.CONFORMANCE)
@AcceptanceSuite(AcceptanceSuite.CONFORMANCE)
class ClientConformanceTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration CLIENT_TIMEOUT = Duration.ofMinutes(1);
    private static final String OLDER = "0.1.16";
    private static final String NEWER = "0.2.0-alpha.12";

    /** The scenarios of the older suite that do not pass, and why. */
    private static final Map<String, String> BASELINE =
            Map.of(
                    "auth/2025-03-26-oauth-metadata-backcompat",
                    "the issuer in its metadata is not the one that it was fetched for (RFC 8414,"
                            + " 3.3); the newer suite corrects this",
                    "auth/cross-app-access-complete-flow",
                    "the extension for enterprise-managed authorization is not there");

    /** A line of the list: the name of a scenario, and the revisions that it is for. */
    private static final Pattern LISTED = Pattern.compile("^  - (\\S+) \\[", Pattern.MULTILINE);

    @TempDir private static Path folder;

    private static NodePackages packages;
    private static RunningOrlojd orlojd;
    private static Path command;

    @BeforeAll
    static void clientIsReady() throws Exception {
        packages = NodePackages.install(RegistryCache.folder(AcceptanceSuite.CONFORMANCE));
        orlojd = RunningOrlojd.start();
        command =
                Files.write(
                        folder.resolve("client"),
                        List.of(
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-D%s=%s"
                                        .formatted(ConformanceClient.ORLOJD, orlojd.client().url()),
                                "-cp \"%s\"".formatted(System.getProperty("java.class.path")),
                                ConformanceClient.class.getName()));
    }

    @AfterAll
    static void stop() {
        orlojd.close();
    }

    /** All that the suites have for clients in these revisions. */
    static List<Arguments> scenarios() throws InterruptedException {
        List<Arguments> scenarios = new ArrayList<>();
        // The older suite does not pass the revision to its servers. The newer one has the same
        // scenarios of authorization, except for these of 2025-03-26 and of extensions.
        addScenarios(scenarios, OLDER, "2025-11-25", ClientConformanceTest::isOfProtocol);
        addScenarios(scenarios, OLDER, "2025-03-26", ConformanceAuthorization::isOf);
        addScenarios(scenarios, OLDER, "extension", ConformanceAuthorization::isOf);
        addScenarios(scenarios, NEWER, "2025-03-26", ConformanceAuthorization::isOf);
        addScenarios(scenarios, NEWER, "2025-06-18", ClientConformanceTest::isOfProtocol);
        addScenarios(scenarios, NEWER, "2025-11-25", scenario -> true);
        addScenarios(scenarios, NEWER, "2026-07-28", scenario -> true);
        return scenarios;
    }

    private static boolean isOfProtocol(String scenario) {
        return !ConformanceAuthorization.isOf(scenario);
    }

    private static void addScenarios(
            List<Arguments> scenarios, String suite, String revision, Predicate<String> wanted)
            throws InterruptedException {
        String list = conformance(suite, "list", List.of("--client", "--spec-version", revision));
        List<String> found =
                LISTED.matcher(list).results().map(line -> line.group(1)).filter(wanted).toList();
        assertThat(found).as("scenarios of %s for %s", suite, revision).isNotEmpty();
        found.forEach(scenario -> scenarios.add(Arguments.of(suite, revision, scenario)));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void everyCheckOfTheScenarioPasses(String suite, String revision, String scenario)
            throws Exception {
        String expected = suite.equals(OLDER) ? BASELINE.get(scenario) : null;
        if (expected == null) {
            run(suite, revision, scenario);
            return;
        }
        assertThatThrownBy(() -> run(suite, revision, scenario))
                .as("Passes now; remove it from the baseline: %s", expected)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("ended with 1");
    }

    private static void run(String suite, String revision, String scenario) throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("--command", "%s @%s".formatted(java, command)));
        arguments.addAll(List.of("--timeout", String.valueOf(CLIENT_TIMEOUT.toMillis())));
        arguments.addAll(List.of("--spec-version", revision, "--scenario", scenario));
        conformance(suite, "client", arguments);
    }

    /** Returns what the suite prints to stdout; it ends with an error when a check fails. */
    private static String conformance(String suite, String verb, List<String> arguments)
            throws InterruptedException {
        List<String> line = new ArrayList<>();
        line.add(packages.node());
        line.add(packages.conformance(suite).toString());
        line.add(verb);
        line.addAll(arguments);
        return Command.run(folder, TIMEOUT, line);
    }
}
