package dev.orloj.runtime.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.container.spec.ContainerGoneException;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.testkit.BorrowedContainer;
import dev.orloj.runtime.testkit.Docker;
import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.Workload;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Programs in containers that are there, on the engine of this machine. */
@NeedsDocker
class ContainerExecsTest {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final String replica = "test-" + UUID.randomUUID();
    private final ContainerEngine engine =
            new ContainerEngine(new EngineSettings("", replica), ContainerListener.NONE);
    private final ContainerSpec box = Specs.program("sh", "-c", "cat");
    private final BorrowedContainer borrowed = new BorrowedContainer();

    @AfterEach
    void close() {
        engine.close();
        assertThat(Docker.containersOf(replica)).isEmpty();
        borrowed.close();
    }

    private Workload shell(ExecTarget target, String script) throws InterruptedException {
        return engine.exec(target, List.of("sh", "-c", script), Map.of("GREETING", "hello"));
    }

    private ExecTarget.Borrowed lend() {
        return new ExecTarget.Borrowed(borrowed.start().name());
    }

    private static String line(Workload program) throws Exception {
        return new BufferedReader(new InputStreamReader(program.stdout(), StandardCharsets.UTF_8))
                .readLine();
    }

    private long processesOf(String container, String text) {
        return Docker.run("top", container, "-eo", "pid,args")
                .lines()
                .filter(l -> l.contains(text))
                .count();
    }

    @Test
    void severalProgramsShareOneContainerThatEndsWithTheLast() throws Exception {
        ExecTarget target = new ExecTarget.Shared(box);
        Workload first = shell(target, "echo $GREETING; cat");
        Workload second = shell(target, "echo $GREETING; cat");

        assertThat(line(first)).isEqualTo("hello");
        assertThat(line(second)).isEqualTo("hello");
        assertThat(Docker.containersOf(replica)).hasSize(1);

        first.stop(GRACE);
        assertThat(first.exit()).isCompletedWithValue(ExitStatus.of(0));
        assertThat(Docker.containersOf(replica)).hasSize(1);
        assertThat(second.exit()).isNotDone();

        second.stop(GRACE);
        await().untilAsserted(() -> assertThat(Docker.containersOf(replica)).isEmpty());
    }

    @Test
    void aContainerThatIsHeldOutlivesItsPrograms() throws Exception {
        try (SharedContainers.Lease lease = engine.shared().acquire(new ExecTarget.Shared(box))) {
            shell(new ExecTarget.Shared(box), "cat").stop(GRACE);

            assertThat(lease.container().main().exit()).isNotDone();
            assertThat(engine.shared().find(box.owner())).contains(lease.container());
        }
        await().untilAsserted(() -> assertThat(Docker.containersOf(replica)).isEmpty());
    }

    @Test
    void theExitCodeOfAProgramIsKnown() throws Exception {
        Workload program = shell(lend(), "exit 7");

        assertThat(program.exit().get(10, TimeUnit.SECONDS)).isEqualTo(ExitStatus.of(7));
    }

    @Test
    void aProgramThatIgnoresTheEndOfItsInputIsKilledAndTheContainerGoesOn() throws Exception {
        ExecTarget.Borrowed target = lend();
        Workload deaf =
                shell(
                        target,
                        "trap '' TERM HUP; echo ready; (sleep 500; :) & sleep 501; sleep 502");
        assertThat(line(deaf)).isEqualTo("ready");
        assertThat(processesOf(borrowed.name(), "sleep 50")).as("the control").isPositive();

        deaf.stop(Duration.ofMillis(300));

        assertThat(deaf.exit()).isDone();
        assertThat(processesOf(borrowed.name(), "sleep 50")).isZero();
        assertThat(borrowed.isRunning()).isTrue();
    }

    @Test
    void aBorrowedContainerIsNeverStopped() throws Exception {
        Workload program = shell(lend(), "cat");

        program.stop(GRACE);
        engine.close();

        assertThat(borrowed.isRunning()).isTrue();
    }

    @Test
    void theEndOfABorrowedContainerEndsTheProgramAndNothingIsStartedInItsPlace() throws Exception {
        ExecTarget.Borrowed target = lend();
        Workload program = shell(target, "echo ready; cat");
        assertThat(line(program)).isEqualTo("ready");

        Docker.run("stop", "--time", "0", borrowed.name());

        program.exit().get(10, TimeUnit.SECONDS);
        assertThatThrownBy(() -> shell(target, "cat"))
                .isInstanceOf(ContainerGoneException.class)
                .hasMessageContaining(
                        "Container \"" + borrowed.name() + "\" is gone: it does not run");
        borrowed.remove();
        assertThatThrownBy(() -> shell(target, "cat")).isInstanceOf(ContainerGoneException.class);
        assertThat(Docker.containersOf(replica)).isEmpty();
    }

    @Test
    void aSharedContainerThatHasEndedIsStartedAnewForTheNextProgram() throws Exception {
        ExecTarget target = new ExecTarget.Shared(box);
        Workload program = shell(target, "cat");
        String first = engine.shared().find(box.owner()).orElseThrow().name();

        Docker.run("kill", first);
        program.exit().get(10, TimeUnit.SECONDS);

        Workload next = shell(target, "echo $GREETING");
        assertThat(line(next)).isEqualTo("hello");
        assertThat(engine.shared().find(box.owner()).orElseThrow().name()).isNotEqualTo(first);
    }
}
