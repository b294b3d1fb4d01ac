package dev.orloj.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

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

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The official conformance suite judges what orlojd sends to MCP servers. For each scenario it
 * starts a server and a {@link ConformanceClient}, which applies the server to orlojd and uses it
 * through {@code /mcp}. What fails has to stand in the baseline, and what stands there has to fail.
 */
@Tag(AcceptanceSuite.CONFORMANCE)
@AcceptanceSuite(AcceptanceSuite.CONFORMANCE)
class ClientConformanceTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration CLIENT_TIMEOUT = Duration.ofMinutes(1);

    /** Until the last of them has ended. */
    private static final Duration ALL = Duration.ofMinutes(20);

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

    /** How many scenarios run at once: most of the time they wait, for a program or a limit. */
    private static final int AT_ONCE = 3;

    /** The conformance suite of a version runs a scenario as a revision has it. */
    private record Scenario(String suite, String revision, String name) {}

    @TempDir private static Path folder;

    private static NodePackages packages;
    private static RunningOrlojd orlojd;
    private static ConformanceClients clients;
    private static ExecutorService threads;

    @BeforeAll
    static void clientIsReady() throws Exception {
        packages = NodePackages.install(RegistryCache.folder(AcceptanceSuite.CONFORMANCE));
        orlojd = RunningOrlojd.start();
        clients = new ConformanceClients(folder.resolve("client"), orlojd.client().url());
        threads = Executors.newFixedThreadPool(AT_ONCE);
    }

    @AfterAll
    static void stop() {
        threads.shutdownNow();
        clients.close();
        orlojd.close();
    }

    /** All that the suites have for clients in these revisions. */
    static List<Arguments> scenarios() throws Exception {
        // The older suite does not pass the revision to its servers. The newer one has the same
        // scenarios of authorization, except for these of 2025-03-26 and of extensions.
        List<Future<List<Scenario>>> lists =
                List.of(
                        list(OLDER, "2025-11-25", ClientConformanceTest::isOfProtocol),
                        list(OLDER, "2025-03-26", ConformanceAuthorization::isOf),
                        list(OLDER, "extension", ConformanceAuthorization::isOf),
                        list(NEWER, "2025-03-26", ConformanceAuthorization::isOf),
                        list(NEWER, "2025-06-18", ClientConformanceTest::isOfProtocol),
                        list(NEWER, "2025-11-25", scenario -> true),
                        list(NEWER, "2026-07-28", scenario -> true));
        List<Arguments> scenarios = new ArrayList<>();
        for (Future<List<Scenario>> list : lists) {
            for (Scenario each : list.get()) {
                Future<String> end = threads.submit(() -> run(each));
                scenarios.add(Arguments.of(each.suite(), each.revision(), each.name(), end));
            }
        }
        return scenarios;
    }

    private static boolean isOfProtocol(String scenario) {
        return !ConformanceAuthorization.isOf(scenario);
    }

    private static Future<List<Scenario>> list(
            String suite, String revision, Predicate<String> wanted) {
        return threads.submit(
                () -> {
                    String list =
                            conformance(
                                    suite, "list", List.of("--client", "--spec-version", revision));
                    List<Scenario> found =
                            LISTED.matcher(list)
                                    .results()
                                    .map(line -> line.group(1))
                                    .filter(wanted)
                                    .map(name -> new Scenario(suite, revision, name))
                                    .toList();
                    assertThat(found).as("scenarios of %s for %s", suite, revision).isNotEmpty();
                    return found;
                });
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("scenarios")
    void everyCheckOfTheScenarioPasses(
            String suite, String revision, String scenario, Future<String> end) {
        String expected = suite.equals(OLDER) ? BASELINE.get(scenario) : null;
        if (expected == null) {
            assertThat(end).succeedsWithin(ALL);
            return;
        }
        assertThat(end)
                .as("Passes now; remove it from the baseline: %s", expected)
                .failsWithin(ALL)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(AssertionError.class)
                .withMessageContaining("ended with 1");
    }

    private static String run(Scenario scenario) throws InterruptedException {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("--command", clients.command().toString()));
        arguments.addAll(List.of("--timeout", String.valueOf(CLIENT_TIMEOUT.toMillis())));
        arguments.addAll(List.of("--spec-version", scenario.revision()));
        arguments.addAll(List.of("--scenario", scenario.name()));
        return conformance(scenario.suite(), "client", arguments);
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
