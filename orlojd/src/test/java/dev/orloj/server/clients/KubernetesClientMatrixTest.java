package dev.orloj.server.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.orloj.server.testing.AcceptanceSuite;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RegistryCache;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.ScriptedServers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Typed and dynamic clients of Kubernetes over every kind that is served, as their makers publish
 * them: each lists, gets, watches, creates, patches and deletes what allows it. Their programs and
 * the kinds are in {@code src/test/clients}; fabric8 has tests of its own. Each works in a
 * namespace of its own, at one orlojd.
 */
@Tag(AcceptanceSuite.CLIENTS)
@AcceptanceSuite(AcceptanceSuite.CLIENTS)
class KubernetesClientMatrixTest {

    private static final List<String> KUBECTL =
            List.of("1.27", "1.28", "1.29", "1.30", "1.31", "1.32", "1.33");
    private static final Path KNOWN = Path.of("src/test/clients/known-failures.txt");

    @TempDir private static Path folder;

    private static Path home;
    private static OrlojdProcess orlojd;

    @BeforeAll
    static void aServerIsReady() throws Exception {
        home = RegistryCache.folder(AcceptanceSuite.CLIENTS);
        orlojd = OrlojdProcess.start(folder.resolve("data"));
        RestClient client = orlojd.client();
        ScriptedServers servers = ScriptedServers.in(folder);
        client.create("default", "mcpservers", servers.manifest("ready", "polite"));
        String path = RestClient.collection("default", "mcpservers") + "/ready";
        await().atMost(Duration.ofMinutes(1))
                .until(() -> client.get(path).text().contains("\"phase\":\"Ready\""));
    }

    /** Waits for the end, as the database writes into the folder until then. */
    @AfterAll
    static void stop() throws InterruptedException {
        if (orlojd != null) {
            orlojd.stop();
        }
    }

    /** H-13 and H-14: with the types that are generated from the OpenAPI of Kubernetes. */
    @Test
    @Execution(CONCURRENT)
    void pythonFindsNothingMissing() throws Exception {
        assertHolds("python", 80, ClientProgram.python(home, "clients.py").against(orlojd.url()));
    }

    @Test
    @Execution(CONCURRENT)
    void kopfRunsAnOperator() throws Exception {
        ClientProgram operator = ClientProgram.python(home, "kopf_operator.py");

        assertHolds("kopf", 5, operator.against(orlojd.url()));
    }

    @Test
    @Execution(CONCURRENT)
    void nodeFindsNothingMissing() throws Exception {
        assertHolds("node", 70, ClientProgram.node(home).against(orlojd.url()));
    }

    /** H-14: the models of this client refuse answers without the fields that they require. */
    @Test
    @Execution(CONCURRENT)
    void javaFindsNothingMissing() throws Exception {
        assertHolds("java", 100, ClientProgram.java(home).against(orlojd.url()));
    }

    /** Where there is a Rust that builds it in time; otherwise the report says why not. */
    @Test
    @Execution(CONCURRENT)
    void kubeRsFindsNothingMissing() throws Exception {
        assertHolds("rust", 80, ClientProgram.rust(home).against(orlojd.url()));
    }

    @Test
    @Execution(CONCURRENT)
    void clientGoAndControllerRuntimeFindNothingMissing() throws Exception {
        assertHolds("go", 90, ClientProgram.go(home).against(orlojd.url()));
    }

    /** All at once, for they mostly wait. */
    @Test
    @Execution(CONCURRENT)
    void kubectlOfEveryMinorFindsNothingMissing() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ClientProgram.Report>> reports = new ArrayList<>();
            for (String minor : KUBECTL) {
                Callable<ClientProgram.Report> run =
                        () -> ClientProgram.kubectl(minor).against(orlojd.url());
                reports.add(threads.submit(run));
            }
            for (Future<ClientProgram.Report> report : reports) {
                assertHolds("kubectl", 75, report.get());
            }
        }
    }

    /** One person's day: what goes wrong is refused in the words that kubectl users know. */
    @Test
    @Execution(CONCURRENT)
    void sessionOfKubectlFindsNothingMissing() throws Exception {
        ClientProgram session = ClientProgram.kubectlSession(KUBECTL.getLast());

        assertHolds("session", 45, session.against(orlojd.url()));
    }

    /** 20.9: with the oldest and the newest kustomize that there is in a kubectl. */
    @Test
    @Execution(CONCURRENT)
    void hashedNamesOfKustomizeReachTheServers() throws Exception {
        for (String minor : List.of(KUBECTL.getFirst(), KUBECTL.getLast())) {
            assertHolds("kustomize", 18, ClientProgram.kustomize(minor).against(orlojd.url()));
        }
    }

    /** What is known to fail is in a file, with the issue that mends it. */
    private static void assertHolds(String family, int least, ClientProgram.Report report)
            throws Exception {
        List<String> known =
                Files.readAllLines(KNOWN).stream()
                        .filter(line -> line.startsWith(family + ": "))
                        .map(line -> "FAIL " + line.substring(family.length() + 2))
                        .toList();
        assertThat(report.failures())
                .as("failures of " + family)
                .allMatch(failure -> known.stream().anyMatch(failure::startsWith));
        assertThat(report.passed()).as("checks of " + family).isGreaterThanOrEqualTo(least);
    }
}
