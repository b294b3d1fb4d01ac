package dev.orloj.runtime.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.runtime.testkit.Processes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

class SupervisorTest {

    private final Map<String, String> own =
            Map.of(
                    "PATH", System.getenv("PATH"),
                    "HOME", "/home/somebody",
                    "LC_TIME", "cs_CZ.UTF-8",
                    "ORLOJ_ENCRYPTION_KEY", "do-not-pass-on",
                    "PGPASSWORD", "do-not-pass-on-either");
    private final Supervisor supervisor = new Supervisor(UUID.randomUUID().toString(), own, null);

    @TempDir Path folder;

    @AfterEach
    void stop() {
        supervisor.close();
    }

    /**
     * Mistake 18, with variables of its own. The older server gave its children all of its own
     * environment, the database password included.
     */
    @Test
    void aChildGetsOfTheOwnEnvironmentOnlyWhatIsHarmless() throws Exception {
        HostProcess process = supervisor.start(List.of("env"), Map.of("API_KEY", "given"));

        List<String> lines =
                new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .toList();

        // Shells and runtimes add PWD and the like by themselves.
        assertThat(lines)
                .contains("API_KEY=given", "HOME=/home/somebody", "LC_TIME=cs_CZ.UTF-8")
                .noneMatch(line -> line.contains("do-not-pass-on"))
                .allMatch(
                        line ->
                                line.matches(
                                        "(API_KEY|HOME|LC_TIME|ORLOJ_CHILD|PATH|PWD|OLDPWD|SHLVL|_)=.*"));
    }

    /** Mistake 18, without: no default is the whole environment of orlojd. */
    @Test
    void aChildWithoutVariablesOfItsOwnGetsNoMore() throws Exception {
        HostProcess process = supervisor.start(List.of("env"), Map.of());

        assertThat(new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8).lines())
                .allMatch(
                        line ->
                                line.matches(
                                        "(HOME|LC_TIME|ORLOJ_CHILD|PATH|PWD|OLDPWD|SHLVL|_)=.*"));
    }

    @Test
    void theDefinitionOfTheServerWins() throws Exception {
        HostProcess process =
                supervisor.start(List.of("/usr/bin/env"), Map.of("HOME", "/srv", "PATH", "/opt"));

        assertThat(new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8))
                .contains("HOME=/srv\n", "PATH=/opt\n");
    }

    @Test
    void aMissingCommandIsNamedWithThePath() {
        assertThatThrownBy(
                        () -> supervisor.start(List.of("no-such-thing"), Map.of("PATH", "/a:/b")))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("Command \"no-such-thing\" not found")
                .hasMessageContaining("\"/a:/b\"");
    }

    @Test
    void aFileThatCannotBeExecutedIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("server.js"), "1");

        assertThatThrownBy(() -> supervisor.start(List.of(file.toString()), Map.of()))
                .hasMessage("Command \"" + file + "\" is no executable file");
        assertThatThrownBy(() -> supervisor.start(List.of(file + "x"), Map.of()))
                .hasMessage("Command \"" + file + "x\" does not exist");
    }

    @Test
    void anImpossibleVariableIsNamedButItsValueIsNot() {
        assertThatThrownBy(() -> supervisor.start(List.of("env"), Map.of("TOKEN", "secret\0value")))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("\"TOKEN\"")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> supervisor.start(List.of("env"), Map.of("A=B", "secret")))
                .hasMessageContaining("\"A=B\"")
                .hasMessageNotContaining("secret");
    }

    @Test
    void argumentsReachTheProgramUnchanged() throws Exception {
        HostProcess process =
                supervisor.start(List.of("printf", "%s|", "a b", "$HOME", "\"", "*", ""), Map.of());

        assertThat(new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("a b|$HOME|\"|*||");
    }

    @Test
    void whatEndsByItselfIsForgotten() throws Exception {
        HostProcess process = supervisor.start(List.of("sh", "-c", "exit 4"), Map.of());

        assertThat(process.exit().join()).hasToString("exit code 4");
        await().until(() -> supervisor.alive().isEmpty());
    }

    @Test
    void closeStopsAllAndStartsNothingAnyMore() throws Exception {
        String marker = "supervised-" + UUID.randomUUID();
        List<HostProcess> processes = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            processes.add(
                    supervisor.start(
                            List.of("sh", "-c", "trap '' TERM; sleep 1000; sleep 1000", marker),
                            Map.of()));
        }

        supervisor.close();

        assertThat(processes).allMatch(process -> process.exit().isDone());
        assertThat(Processes.withCommandLine(marker)).isEmpty();
        assertThatThrownBy(() -> supervisor.start(List.of("env"), Map.of()))
                .isInstanceOf(WorkloadException.class);
    }

    @Test
    void anInterruptedStartLeavesNoProcess() throws Exception {
        String marker = "abandoned-" + UUID.randomUUID();
        Thread.currentThread().interrupt();

        assertThatThrownBy(
                        () ->
                                supervisor.start(
                                        List.of("sh", "-c", "sleep 1000; :", marker), Map.of()))
                .isInstanceOf(InterruptedException.class);

        // A second start passes the spawner after the first one.
        supervisor.start(List.of("true"), Map.of());
        await().until(() -> Processes.withCommandLine(marker).isEmpty());
    }

    /** SIGKILL leaves orlojd no chance to clean up, so the kernel has to. */
    @Test
    void killingTheJvmLeavesNeitherServersNorTheirDetachedGrandchildren() throws Exception {
        FakeStdioServer server =
                FakeStdioServer.in(folder, FakeScript.wellBehaved().ignoreEof().ignoreSigterm());
        String grandchild = "orphan-" + UUID.randomUUID();
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Doomed.class.getName(),
                                grandchild));
        command.addAll(server.command());
        Process jvm =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !Processes.withCommandLine(grandchild + "-here").isEmpty());
        } finally {
            jvm.destroyForcibly();
        }
        jvm.waitFor();

        await().untilAsserted(
                        () -> {
                            assertThat(Processes.withCommandLine(server.mark())).isEmpty();
                            assertThat(Processes.withCommandLine(grandchild)).isEmpty();
                        });
    }

    /**
     * Without process namespaces the kernel kills the child only. What had detached is found by its
     * mark when the next orlojd of the same replica starts, and by no other one.
     */
    @Test
    void aStartSweepsWhatAKilledOneLeftWhereThereAreNoNamespaces() throws Exception {
        String owner = "replica-" + UUID.randomUUID();
        String orphan = "orphan-" + UUID.randomUUID();
        Process jvm = startDetacher(owner, orphan);
        try (Supervisor neighbour = new Supervisor("other-" + owner);
                Supervisor heir = new Supervisor(owner)) {
            awaitDetached(orphan);
            heir.sweep();
            assertThat(Processes.withCommandLine(orphan)).as("while its orlojd lives").isNotEmpty();

            jvm.destroyForcibly().waitFor();
            neighbour.sweep();
            assertThat(Processes.withCommandLine(orphan)).as("of another replica").isNotEmpty();

            heir.sweep();
            assertThat(Processes.withCommandLine(orphan)).isEmpty();
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void aSweepSparesTheChildrenOfItsOwnSupervisor() throws Exception {
        HostProcess process = supervisor.start(List.of("sleep", "1000"), Map.of());

        supervisor.sweep();

        assertThat(process.exit()).isNotDone();
    }

    private static Process startDetacher(String owner, String orphan) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Detacher.class.getName(),
                        owner,
                        orphan)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void awaitDetached(String orphan) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> !Processes.withCommandLine(orphan + "-here").isEmpty());
    }

    /** Starts, in a group only, a child that leaves one in a session of its own. */
    static final class Detacher {

        public static void main(String[] arguments) throws Exception {
            Confinement group =
                    Confinement.candidates().stream()
                            .filter(candidate -> candidate.kind() == Confinement.Kind.GROUP)
                            .filter(Confinement::works)
                            .findFirst()
                            .orElseThrow();
            Supervisor supervisor = new Supervisor(arguments[0], System.getenv(), group);
            supervisor.start(
                    List.of(
                            "sh",
                            "-c",
                            "setsid sh -c \"trap '' TERM; sleep 1000; :\" "
                                    + arguments[1]
                                    + "-here & sleep 1000"),
                    Map.of());
            new CountDownLatch(1).await();
        }
    }

    /** Starts a server with a detached grandchild, and waits to be killed. */
    static final class Doomed {

        public static void main(String[] arguments) throws Exception {
            Supervisor supervisor = new Supervisor();
            HostProcess process =
                    supervisor.start(List.of(arguments).subList(1, arguments.length), Map.of());
            String call =
                    "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\":"
                        + " {\"name\": \"spawn\", \"arguments\": {\"detached\": true, \"mark\": \""
                            + arguments[0]
                            + "-here\"}}}\n";
            process.stdin().write(call.getBytes(StandardCharsets.UTF_8));
            process.stdin().flush();
            new CountDownLatch(1).await();
        }
    }
}
