package dev.orloj.runtime.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.container.SharedContainers;
import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.container.spec.HostMount;
import dev.orloj.runtime.container.spec.ImageSource;
import dev.orloj.runtime.container.spec.PullPolicy;
import dev.orloj.runtime.testkit.Engines;
import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.Workload;
import dev.orloj.runtime.workload.WorkloadException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Programs in Pods that several servers share: each is a process of this machine. */
@Timeout(60)
class SandboxPodTest {

    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Map<String, String> NO_VARIABLES = Map.of();

    private final FakeCluster cluster = new FakeCluster();
    private final PodEngine engine =
            new PodEngine(
                    new PodSettings(
                            URI.create("https://fake"),
                            Path.of("/none"),
                            "mcp",
                            "orloj-pods",
                            "one",
                            Optional.empty()),
                    ContainerListener.NONE,
                    cluster);
    private final ContainerEngine containers = Engines.unused();
    private final SharedContainers shared = containers.shared();
    private final ExecTarget.SharedPod box = new ExecTarget.SharedPod(spec(List.of()));

    SandboxPodTest() {
        shared.startPodsWith(engine::startShared);
    }

    private static ContainerSpec spec(List<HostMount> mounts) {
        return new ContainerSpec(
                new ContainerOwner("default", "box", "uid-of-sandbox"),
                new ImageSource("registry.example/box:1", PullPolicy.NEVER, Optional.empty()),
                List.of("sleep"),
                List.of("infinity"),
                Map.of("SHARED", "yes"),
                List.of(),
                ContainerIsolation.DEFAULT,
                false,
                mounts);
    }

    @AfterEach
    void stop() {
        engine.hurry(Duration.ZERO);
        engine.close();
        assertThat(cluster.names()).isEmpty();
    }

    private Workload run(Map<String, String> env, String... command) throws InterruptedException {
        return containers.exec(box, List.of(command), env);
    }

    private Workload shell(String script) throws InterruptedException {
        return run(NO_VARIABLES, "sh", "-c", script);
    }

    private static String line(Workload program) throws IOException {
        return new BufferedReader(new InputStreamReader(program.stdout(), StandardCharsets.UTF_8))
                .readLine();
    }

    private static ExitStatus exit(Workload program) throws Exception {
        return program.exit().get(20, TimeUnit.SECONDS);
    }

    private String pod() {
        return cluster.names().getFirst();
    }

    @Test
    @Execution(CONCURRENT)
    void severalProgramsShareOnePodThatEndsWithTheLast() throws Exception {
        Workload first = shell("echo one; cat");
        Workload second = shell("echo two; cat");

        assertThat(line(first)).isEqualTo("one");
        assertThat(line(second)).isEqualTo("two");
        assertThat(cluster.names()).hasSize(1);
        assertThat(first.container().orElseThrow().name()).isEqualTo(pod());
        assertThat(shared.find(box.container().owner()).orElseThrow().name()).isEqualTo(pod());

        first.stop(GRACE);
        assertThat(first.exit()).isCompletedWithValue(ExitStatus.of(0));
        assertThat(first.obeyedEof()).contains(true);
        assertThat(second.exit()).isNotDone();
        assertThat(cluster.names()).hasSize(1);

        second.stop(GRACE);
        await().untilAsserted(() -> assertThat(cluster.names()).isEmpty());
        assertThat(shared.find(box.container().owner())).isEmpty();
    }

    @Test
    void variablesAndArgumentsReachTheProgramAndAreInNoRequest() throws Exception {
        String value = "it's \"$HOME\" `id`\\n\n  two\n";
        Workload program =
                run(
                        Map.of("TOKEN", value, "IFS", "x", "orloj_input", "mine"),
                        "sh",
                        "-c",
                        "printf '%s|%s|%s\\n' \"$TOKEN\" \"$1\" \"$orloj_input\"; cat",
                        "name",
                        "an 'argument'\n$TOKEN");
        program.stdin().write("and stdin\n".getBytes(StandardCharsets.UTF_8));
        program.stdin().close();
        assertThat(exit(program)).isEqualTo(ExitStatus.of(0));

        assertThat(program.stdout().readAllBytes())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(value + "|an 'argument'\n$TOKEN|mine\nand stdin\n");
        assertThat(cluster.commands.getFirst().toString())
                .doesNotContain("two", "TOKEN", "argument");
    }

    @Test
    void valuesOfTheSandboxAreInItsSecretAndNotInThePod() throws InterruptedException {
        Workload program = shell("cat");

        assertThat(cluster.secrets.get(pod()).at("/data/env.0").asString()).isEqualTo("eWVz");
        assertThat(cluster.pod(pod()).at("/spec/containers/0/securityContext").toString())
                .contains("\"readOnlyRootFilesystem\":true", "\"drop\":[\"ALL\"]");
        assertThat(shared.find(box.container().owner()).orElseThrow().posture().orElseThrow())
                .satisfies(
                        posture ->
                                assertThat(posture.relaxations())
                                        .isNotEmpty()
                                        .doesNotContain(PodManifest.MESSAGES_IN_LOG));
        program.stop(GRACE);
    }

    @Test
    void exitCodeOfAProgramIsKnown() throws Exception {
        Workload program = shell("echo why >&2; exit 7");

        assertThat(exit(program)).isEqualTo(ExitStatus.of(7));
        assertThat(program.stderr().readAllBytes()).asString().isEqualTo("why\n");
    }

    @Test
    void programThatIsNotInTheImageEndsWithTheReasonOnItsStderr() throws Exception {
        Workload program = run(NO_VARIABLES, "no-such-program");

        assertThat(exit(program)).isEqualTo(ExitStatus.of(127));
        assertThat(program.stderr().readAllBytes()).asString().contains("no-such-program");
    }

    @Test
    void programThatIgnoresTheEndOfItsInputIsKilledAndThePodGoesOn() throws Exception {
        Workload other = shell("echo ready; cat");
        assertThat(line(other)).isEqualTo("ready");
        Workload deaf =
                shell("trap '' TERM HUP; echo ready; (sleep 500; :) & sleep 501; sleep 502");
        assertThat(line(deaf)).isEqualTo("ready");

        deaf.stop(Duration.ofMillis(100));

        assertThat(deaf.exit()).isDone();
        assertThat(deaf.obeyedEof()).contains(false);
        await().untilAsserted(() -> assertThat(cluster.running(pod())).hasSize(1));
        assertThat(other.exit()).isNotDone();
    }

    @Test
    void endOfThePodEndsAllProgramsWithItsCauseAndTheNextOneStartsAnother() throws Exception {
        Workload first = shell("echo ready; cat");
        Workload second = shell("echo ready; cat");
        line(first);
        line(second);
        String before = pod();

        cluster.change(
                before,
                """
                {"phase": "Failed", "reason": "Evicted", "message": "low on memory"}
                """);

        for (Workload program : List.of(first, second)) {
            assertThat(exit(program).toString())
                    .contains("Pod \"" + before + "\" ended: Evicted: low on memory");
        }
        await().untilAsserted(() -> assertThat(cluster.names()).isEmpty());
        Workload next = shell("echo again; cat");
        assertThat(line(next)).isEqualTo("again");
        assertThat(pod()).isNotEqualTo(before);
    }

    /** A node that is lost closes no connection. */
    @Test
    void programsOfAPodThatIsGoneHaveEndedWhileTheirConnectionsStay() throws Exception {
        Workload program = shell("trap '' HUP; echo ready; cat");
        line(program);

        cluster.loseNode(pod());

        assertThat(exit(program).toString()).contains("DeletionByTaintManager");
    }

    @Test
    @Execution(CONCURRENT)
    void programWhoseConnectionIsLostIsKilledInThePod() throws Exception {
        Workload program = shell("trap '' HUP; echo ready; while :; do sleep 1; done");
        line(program);
        FakeExec process = cluster.running(pod()).getFirst();

        process.cut();

        assertThat(exit(program).toString()).contains("the connection to Pod");
        await().untilAsserted(() -> assertThat(process.isRunning()).isFalse());
    }

    @Test
    @Execution(CONCURRENT)
    void podWhoseOutputCannotBeReadAnyMoreIsReplaced() throws Exception {
        Workload program = shell("echo ready; cat");
        line(program);
        String before = pod();
        PodStreams main = cluster.attached.get(before);

        main.onError(new FakeExec(main), new IOException("connection reset"));

        assertThat(exit(program).toString()).contains("the connection to its main program");
        await().untilAsserted(() -> assertThat(cluster.names()).isEmpty());
        assertThat(cluster.deletions).containsExactly(before);
    }

    @Test
    @Execution(CONCURRENT)
    void imageWithoutAShellIsNamedAsTheCause() {
        cluster.execFailure = "exec: \"sh\": executable file not found in $PATH";

        assertThatThrownBy(() -> run(NO_VARIABLES, "search-server"))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("Command \"search-server\" could not be run in Pod")
                .hasMessageContaining("executable file not found")
                .hasMessageContaining("needs sh and cat");
        await().untilAsserted(() -> assertThat(cluster.names()).isEmpty());
    }

    @Test
    @Execution(CONCURRENT)
    void variableThatAShellCannotSetIsRefused() {
        assertThatThrownBy(() -> run(Map.of("my.key", "x"), "true"))
                .hasMessageContaining("env: the variable \"my.key\" cannot be set");
        assertThatThrownBy(() -> run(Map.of("KEY", "a\0b"), "true"))
                .hasMessageContaining("variable KEY contains a NUL character");
        assertThatThrownBy(() -> run(Map.of("KEY", "x".repeat(ExecScript.MAX_INPUT_BYTES)), "true"))
                .hasMessageContaining("env[].mountPath");
        await().untilAsserted(() -> assertThat(cluster.names()).isEmpty());
    }

    @Test
    void mountsAreRefusedWithTheField() {
        ExecTarget mounted =
                new ExecTarget.SharedPod(
                        spec(List.of(new HostMount(Path.of("/srv"), "/srv", true))));

        assertThatThrownBy(() -> containers.exec(mounted, List.of("cat"), NO_VARIABLES))
                .hasMessageContaining("mounts: a Pod has no folders of the host");
    }

    @Test
    void whyThePodDoesNotStartIsKnownUntilItDoes() throws InterruptedException {
        cluster.status = FakeCluster.unschedulable("0/3 nodes are available");
        Thread start =
                Thread.ofVirtual()
                        .start(
                                () ->
                                        assertThatThrownBy(() -> shell("cat"))
                                                .isInstanceOf(InterruptedException.class));
        await().until(() -> shared.obstacle(box).isPresent());
        assertThat(shared.obstacle(box).orElseThrow().isWaiting()).isTrue();
        assertThat(shared.obstacle(box).orElseThrow().message())
                .contains("No node takes Pod", "0/3 nodes are available");
        start.interrupt();
        start.join();
        assertThat(shared.obstacle(box)).isEmpty();

        cluster.status = FakeCluster.waiting("ErrImagePull", "not found");
        assertThatThrownBy(() -> shell("cat")).hasMessageContaining("ErrImagePull");
        assertThat(shared.obstacle(box).orElseThrow().isWaiting()).isFalse();
        assertThat(shared.obstacle(box).orElseThrow().message())
                .contains("registry.example/box:1", "ErrImagePull: not found");

        cluster.status = FakeCluster.running();
        shell("cat").stop(GRACE);
        assertThat(shared.obstacle(box)).isEmpty();
    }

    @Test
    void closedEngineLeavesNoProgramAndNoPod() throws Exception {
        Workload program = shell("trap '' HUP; echo ready; while :; do sleep 1; done");
        line(program);
        FakeExec process = cluster.running(pod()).getFirst();
        engine.hurry(Duration.ofMillis(10));

        engine.close();

        assertThat(program.exit()).isDone();
        await().untilAsserted(() -> assertThat(process.isRunning()).isFalse());
        assertThat(cluster.names()).isEmpty();
        assertThatThrownBy(() -> shell("cat")).hasMessageContaining("while orlojd stops");
    }
}
