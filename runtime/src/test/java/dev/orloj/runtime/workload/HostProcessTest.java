package dev.orloj.runtime.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.runtime.testkit.Processes;
import dev.orloj.runtime.workload.Confinement.Kind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Survivors are looked for in /proc, by a mark in their command lines. */
class HostProcessTest {

    private static final Duration GRACE = Duration.ofMillis(300);
    private static final Duration LONG_GRACE = Duration.ofMinutes(5);
    private static final String INITIALIZE =
            "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"initialize\", \"params\": {}}\n";

    @TempDir Path folder;

    /** Of this test alone: a stop ends all that have it. */
    private final ProcessMarker marker =
            new ProcessMarker("test-" + UUID.randomUUID(), ProcessHandle.current().pid(), 0, 1);

    private final ShutdownBudget shutdownBudget = new ShutdownBudget();
    private final String grandchild = "grandchild-" + UUID.randomUUID();

    @ParameterizedTest
    @EnumSource
    void aGoodServerEndsWhenItsStdinIsClosed(Kind kind) throws Exception {
        FakeStdioServer server = FakeStdioServer.in(folder, FakeScript.wellBehaved());
        HostProcess process = start(server, kind);

        process.stop(LONG_GRACE);

        assertThat(process.exit().join()).hasToString("exit code 0");
        assertThat(Processes.withCommandLine(server.mark())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Execution(CONCURRENT)
    void aServerThatIgnoresTheEndOfItsStdinIsTerminated(Kind kind) throws Exception {
        FakeStdioServer server = FakeStdioServer.in(folder, FakeScript.wellBehaved().ignoreEof());
        HostProcess process = start(server, kind);

        process.stop(Duration.ofSeconds(2));

        assertThat(process.obeyedEof()).contains(false);
        assertThat(process.exit().join()).hasToString("signal 15 (SIGTERM)");
        assertThat(Processes.withCommandLine(server.mark())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Execution(CONCURRENT)
    void aServerThatIgnoresEverythingIsKilledWithItsGrandchildren(Kind kind) throws Exception {
        FakeStdioServer server =
                FakeStdioServer.in(folder, FakeScript.wellBehaved().ignoreEof().ignoreSigterm());
        HostProcess process = start(server, kind);
        call(process, "{\"mark\": \"" + grandchild + "\"}");
        // For a moment, since a shell that is about to start something is there twice.
        await().untilAsserted(() -> assertThat(Processes.withCommandLine(grandchild)).hasSize(1));

        process.stop(GRACE);

        assertThat(Processes.withCommandLine(server.mark())).isEmpty();
        assertThat(Processes.withCommandLine(grandchild)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Execution(CONCURRENT)
    void aGrandchildThatLeftTheGroupIsFound(Kind kind) throws Exception {
        FakeStdioServer server = FakeStdioServer.in(folder, FakeScript.wellBehaved());
        HostProcess process = start(server, kind);
        call(process, "{\"mark\": \"" + grandchild + "\", \"detached\": true}");
        assertThat(Processes.withCommandLine(grandchild)).isNotEmpty();

        process.stop(GRACE);

        assertThat(Processes.withCommandLine(grandchild)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Execution(CONCURRENT)
    void itsPidIsThatOfTheServerAndNotOfAHelperOrAnOrphan(Kind kind) throws Exception {
        FakeStdioServer server = FakeStdioServer.in(folder, FakeScript.wellBehaved());
        HostProcess process = start(server, kind);
        call(process, "{\"mark\": \"" + grandchild + "\", \"detached\": true}");

        long pid = process.pid().orElseThrow();

        assertThat(ProcessHandle.of(pid).orElseThrow().info().command())
                .contains(server.command().getFirst());
        assertThat(Processes.withCommandLine(grandchild)).isNotEmpty().doesNotContain(pid);
        process.stop(GRACE);
        assertThat(process.pid()).isEmpty();
    }

    /** Issue 18: a search at every look took most of the processor time of many servers. */
    @Test
    void itsPidIsLookedUpOnce() throws Exception {
        Process process = new ProcessBuilder("cat").start();
        long self = ProcessHandle.current().pid();
        listChild(process.pid(), self);
        listChild(self, self);
        HostProcess started =
                new HostProcess(
                        process,
                        Kind.NAMESPACE,
                        marker,
                        shutdownBudget,
                        new ChildProcesses(folder));
        assertThat(started.pid()).contains(self);

        listChild(process.pid(), 1);
        listChild(self, 1);

        assertThat(started.pid()).contains(self);
        process.destroyForcibly().waitFor();
        assertThat(started.pid()).isEmpty();
    }

    private void listChild(long parent, long child) throws IOException {
        Path list = folder.resolve("%1$d/task/%1$d/children".formatted(parent));
        Files.createDirectories(list.getParent());
        Files.writeString(list, child + " ");
    }

    @Test
    void aGrandchildDoesNotOutliveAServerThatDiesByItself() throws Exception {
        FakeStdioServer server = FakeStdioServer.in(folder, FakeScript.wellBehaved());
        HostProcess process = start(server, Kind.NAMESPACE);
        call(process, "{\"mark\": \"" + grandchild + "\", \"detached\": true}");

        Signal.KILL.sendToProcess(process.pid().orElseThrow());

        assertThat(process.exit().get(10, TimeUnit.SECONDS)).hasToString("signal 9 (SIGKILL)");
        await().until(() -> Processes.withCommandLine(grandchild).isEmpty());
    }

    @Test
    void aStopThatHasBegunIsShortenedWhenOrlojdStops() throws Exception {
        FakeStdioServer server =
                FakeStdioServer.in(folder, FakeScript.wellBehaved().ignoreEof().ignoreSigterm());
        HostProcess process = start(server, Kind.NAMESPACE);
        Thread stop = Thread.startVirtualThread(() -> process.stop(LONG_GRACE));

        shutdownBudget.atMost(GRACE);

        assertThat(stop.join(Duration.ofSeconds(30))).isTrue();
        assertThat(Processes.withCommandLine(server.mark())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void stoppingAtOnceAfterTheStartLeavesNothing(Kind kind) throws Exception {
        for (int i = 0; i < 10; i++) {
            FakeStdioServer server =
                    FakeStdioServer.in(
                            folder, FakeScript.wellBehaved().ignoreEof().ignoreSigterm());
            HostProcess process =
                    new HostProcess(builder(server, kind).start(), kind, marker, shutdownBudget);

            process.stop(Duration.ZERO);

            assertThat(Processes.withCommandLine(server.mark())).isEmpty();
        }
    }

    /** A daemon as of old: forked twice, in a session of its own, its parents gone. */
    @ParameterizedTest
    @EnumSource
    void aDaemonThatLostItsParentsIsFound(Kind kind) throws Exception {
        String daemon =
                "(setsid sh -c \"trap '' TERM; echo ready; sleep 1000; :\" " + grandchild + " &)";
        Confinement confinement = confinement(kind);
        Process process = marked(confinement.around(List.of("sh", "-c", daemon + "; cat"))).start();
        HostProcess started = new HostProcess(process, kind, marker, shutdownBudget);
        assertThat(readLine(started)).isEqualTo("ready");

        started.stop(GRACE);

        assertThat(Processes.withCommandLine(grandchild)).isEmpty();
    }

    @Test
    void everyoneWhoStopsWaitsForTheEndAndAnInterruptDoesNotShortenIt() throws Exception {
        FakeStdioServer server = FakeStdioServer.in(folder, FakeScript.wellBehaved().ignoreEof());
        HostProcess process = start(server, Kind.NAMESPACE);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<? extends Future<?>> stops =
                    IntStream.range(0, 3)
                            .mapToObj(
                                    i ->
                                            callers.submit(
                                                    () -> {
                                                        Thread.currentThread().interrupt();
                                                        process.stop(GRACE);
                                                        assertThat(process.exit()).isDone();
                                                    }))
                            .toList();
            for (Future<?> stop : stops) {
                stop.get();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, exit code 0",
        "3, exit code 3",
        "137, signal 9 (SIGKILL)",
        "139, signal 11 (SIGSEGV)",
        "140, signal 12",
        "255, exit code 255"
    })
    void theEndIsDescribedInWords(int code, String words) {
        assertThat(ExitStatus.of(code)).hasToString(words);
    }

    private HostProcess start(FakeStdioServer server, Kind kind) throws IOException {
        Process process = builder(server, kind).start();
        process.getOutputStream().write(INITIALIZE.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        HostProcess started = new HostProcess(process, kind, marker, shutdownBudget);
        assertThat(readLine(started)).contains("protocolVersion");
        return started;
    }

    private ProcessBuilder builder(FakeStdioServer server, Kind kind) {
        return marked(confinement(kind).around(server.command()));
    }

    private static Confinement confinement(Kind kind) {
        Confinement confinement =
                Confinement.candidates().stream()
                        .filter(candidate -> candidate.kind() == kind)
                        .filter(Confinement::works)
                        .findFirst()
                        .orElse(null);
        assumeTrue(confinement != null, "This host offers no " + kind);
        return confinement;
    }

    private ProcessBuilder marked(List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put(ProcessMarker.VARIABLE, marker.text());
        return builder;
    }

    private static void call(HostProcess process, String arguments) throws IOException {
        String call =
                "{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"tools/call\", \"params\":"
                        + " {\"name\": \"spawn\", \"arguments\": "
                        + arguments
                        + "}}\n";
        process.stdin().write(call.getBytes(StandardCharsets.UTF_8));
        process.stdin().flush();
        assertThat(readLine(process)).contains("\"id\":2");
    }

    /**
     * Good for one answer at a time: what is read ahead of the line is lost, and there is nothing.
     */
    private static String readLine(HostProcess process) throws IOException {
        return new BufferedReader(new InputStreamReader(process.stdout(), StandardCharsets.UTF_8))
                .readLine();
    }
}
