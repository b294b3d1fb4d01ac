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

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The official conformance suite judges what orlojd sends to MCP servers. For each scenario it
 * starts a server and {@link ConformanceClient}, which applies the server to orlojd and uses it
 * through {@code /mcp}. Scenarios of authorization and of extensions are left out: orlojd gets no
 * tokens from authorization servers yet.
 */
@Tag(AcceptanceSuite.CONFORMANCE)
@AcceptanceSuite(AcceptanceSuite.CONFORMANCE)
class ClientConformanceTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration CLIENT_TIMEOUT = Duration.ofMinutes(1);
    private static final String AUTHORIZATION = "auth/";

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

    /** All that the suites have for clients in these revisions, but for those that stand apart. */
    static List<Arguments> scenarios() throws InterruptedException {
        List<Arguments> scenarios = new ArrayList<>();
        // The older suite does not pass the revision to its servers.
        addScenarios(scenarios, "0.1.16", "2025-11-25");
        addScenarios(scenarios, "0.2.0-alpha.12", "2025-06-18");
        addScenarios(scenarios, "0.2.0-alpha.12", "2025-11-25");
        addScenarios(scenarios, "0.2.0-alpha.12", "2026-07-28");
        return scenarios;
    }

    private static void addScenarios(List<Arguments> scenarios, String suite, String revision)
            throws InterruptedException {
        String list = conformance(suite, "list", List.of("--client", "--spec-version", revision));
        assertThat(list).contains("  - tools_call [");
        Matcher listed = LISTED.matcher(list);
        while (listed.find()) {
            String scenario = listed.group(1);
            if (!scenario.startsWith(AUTHORIZATION)) {
                scenarios.add(Arguments.of(suite, revision, scenario));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void everyCheckOfTheScenarioPasses(String suite, String revision, String scenario)
            throws Exception {
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
