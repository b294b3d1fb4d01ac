package dev.orloj.runtime.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.testkit.Docker;
import dev.orloj.runtime.testkit.EngineProxy;
import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.WorkloadException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** An engine that goes away while containers run, and comes back. */
@NeedsDocker
class EngineLossTest {

    private static final Duration NO_GRACE = Duration.ofMillis(100);

    private final String replica = "test-" + UUID.randomUUID();
    private final EngineProxy proxy = new EngineProxy();
    private final ContainerEngine engine =
            new ContainerEngine(new EngineSettings(proxy.host(), replica), ContainerListener.NONE);

    @AfterEach
    void close() throws IOException {
        proxy.restore();
        engine.close();
        proxy.close();
        assertThat(Docker.containersOf(replica)).isEmpty();
    }

    @Test
    void whatIsRemovedBehindTheBackIsKnownToHaveEnded() throws Exception {
        DockerContainer container = engine.start(Specs.program("sh", "-c", "sleep 600"));

        Docker.run("rm", "--force", container.name());

        assertThat(container.exit().get(10, TimeUnit.SECONDS).signal()).contains(9);
        container.removed().get(10, TimeUnit.SECONDS);
        await().untilAsserted(() -> assertThat(engine.alive()).isEmpty());
    }

    /** The end was missed, and its events are of an engine without a listener. */
    @Test
    void anEndThatWasMissedIsLearntWhenTheEngineAnswersAgain() throws Exception {
        DockerContainer container = engine.start(Specs.program("sh", "-c", "sleep 600"));

        proxy.cut();
        Docker.run("rm", "--force", container.name());
        assertThat(container.removed()).isNotDone();
        proxy.restore();

        container.removed().get(10, TimeUnit.SECONDS);
        assertThat(container.exit().join()).isIn(ExitStatus.UNKNOWN, ExitStatus.of(137));
        await().untilAsserted(() -> assertThat(engine.alive()).isEmpty());
    }

    @Test
    void whatCouldNotBeStoppedIsSweptWhenTheEngineAnswersAgain() throws Exception {
        DockerContainer container =
                engine.start(Specs.program("sh", "-c", "trap '' TERM; while :; do sleep 1; done"));

        proxy.cut();
        container.stop(NO_GRACE);
        assertThat(Docker.containersOf(replica)).as("the control").hasSize(1);
        proxy.restore();

        await().atMost(Duration.ofSeconds(15))
                .untilAsserted(() -> assertThat(Docker.containersOf(replica)).isEmpty());
    }

    /** The client library says that a port failed to respond, and users know of no port. */
    @Test
    void anEngineThatHangsUpIsCalledByItsSocket() {
        proxy.cut();

        assertThatThrownBy(() -> engine.start(Specs.server()))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContainingAll(proxy.host(), "--container-host")
                .hasMessageNotContaining("2375");
    }

    @Test
    void anEngineThatIsBackStartsContainersAsBefore() throws Exception {
        engine.start(Specs.program("cat"));
        proxy.cut();
        proxy.restore();

        DockerContainer next = engine.start(Specs.program("sh", "-c", "exit 3"));

        assertThat(next.exit().get(10, TimeUnit.SECONDS)).isEqualTo(ExitStatus.of(3));
    }
}
