package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Condition;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.pod.ScaleTargetRef;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.sandbox.PodPolicy;
import dev.orloj.controllers.sandbox.ServerEngine;
import dev.orloj.runtime.scale.ScaledServer;
import dev.orloj.runtime.scale.ServerScaling;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Servers over HTTP whose workload is scaled to zero. */
class ScaledServersTest extends GitServerScenario {

    private static final String HTTP =
            "\"transport\": \"http\", \"endpoint\": \"http://git-mcp/mcp\", \"idle_timeout\":"
                    + " \"20ms\", \"startup_timeout\": \"2m\"";
    private static final String SCALED = HTTP + ", \"scale_target_ref\": {\"name\": \"git\"}";
    private static final ScaledServer SERVER =
            new ScaledServer(
                    KEY,
                    new ScaleTargetRef(ScaleTargetRef.Kind.DEPLOYMENT, "git"),
                    Duration.ofMinutes(2));

    /** Returns what a test sets. */
    private static final class ScriptedScaling implements ServerScaling {

        final List<ScaledServer> rested = new CopyOnWriteArrayList<>();
        final List<Duration> idleTimes = new CopyOnWriteArrayList<>();
        final List<ResourceKey> forgotten = new CopyOnWriteArrayList<>();
        final List<ScaledServer> deleted = new CopyOnWriteArrayList<>();
        volatile String note = "";
        volatile Optional<ScalingUp> scalingUp = Optional.empty();
        volatile Consumer<ResourceKey> listener = server -> {};

        @Override
        public Rest rest(ScaledServer server, Duration idle) {
            rested.add(server);
            idleTimes.add(idle);
            return new Rest(note, Duration.ofMinutes(7));
        }

        @Override
        public Optional<ScalingUp> scalingUp(ResourceKey server) {
            return scalingUp;
        }

        @Override
        public void forget(ResourceKey server) {
            forgotten.add(server);
        }

        @Override
        public void delete(ScaledServer server) {
            deleted.add(server);
        }

        @Override
        public void onChange(Consumer<ResourceKey> changed) {
            listener = changed;
        }
    }

    private final ScriptedScaling scaling = new ScriptedScaling();

    @BeforeEach
    void startInACluster() throws InterruptedException {
        script.offer("log");
        harness.servers.scaleWith(scaling);
        ContainerPolicy usual = ContainerPolicy.DEFAULT;
        harness.policy =
                new ContainerPolicy(
                        usual.level(),
                        usual.defaults(),
                        usual.ceilings(),
                        usual.folders(),
                        ServerEngine.POD,
                        PodPolicy.DEFAULT);
        harness.restart();
    }

    private void awaitSleep() {
        await().until(
                        () -> {
                            harness.reconcileUntilSteady(KEY);
                            return script.live() == 0
                                    && condition("Connected").reason().equals("Idle");
                        });
    }

    @Test
    void serverThatSleepsRestsItsWorkload() throws InterruptedException {
        applyAndSettle(SCALED);
        awaitSleep();
        scaling.note = "Deployment \"git\" has 0 replicas";

        Result result = harness.reconcile(KEY);

        assertThat(result).isEqualTo(Result.requeueAfter(Duration.ofMinutes(7)));
        assertThat(scaling.rested).isNotEmpty().containsOnly(SERVER);
        assertThat(scaling.idleTimes).containsOnly(Duration.ofMillis(20));
        assertCondition("Connected", Condition.Status.FALSE, "Idle");
        assertThat(condition("Connected").message())
                .endsWith("; the next call opens one. Deployment \"git\" has 0 replicas");
        assertCondition("Ready", Condition.Status.TRUE, "Idle");
        assertThat(harness.toolNames()).containsExactly("git--log");
    }

    @Test
    void changeOfTheWorkloadIsAReasonToLookAtTheServer() throws InterruptedException {
        // Has no session, whose end would be a reason as well.
        applyAndSettle(SCALED + ", \"suspend\": true");
        harness.drainQueue();
        assertThat(harness.isEnqueued(KEY)).isFalse();

        scaling.listener.accept(KEY);

        assertThat(harness.isEnqueued(KEY)).isTrue();
    }

    @Test
    void sleepingServerThatIsWokenSaysForWhatItWaits() throws InterruptedException {
        applyAndSettle(SCALED);
        awaitSleep();
        scaling.scalingUp =
                Optional.of(
                        new ServerScaling.ScalingUp(
                                Instant.parse("2026-01-01T00:00:05.5Z"),
                                "Deployment \"git\": it was scaled from 0 to 1",
                                Duration.ofMinutes(2)));

        harness.reconcileUntilSteady(KEY);

        assertCondition("Connected", Condition.Status.FALSE, "ScalingUp");
        assertThat(condition("Connected").message())
                .isEqualTo(
                        "A session has waited since 2026-01-01T00:00:05Z, for at most 2m, until the"
                                + " endpoint accepts connections. Deployment \"git\": it was scaled"
                                + " from 0 to 1");
        assertCondition("Ready", Condition.Status.TRUE, "ScalingUp");
        harness.assertPhase(KEY, McpServerStatus.Phase.READY);

        scaling.scalingUp = Optional.empty();
        harness.reconcileUntilSteady(KEY);
        assertCondition("Ready", Condition.Status.TRUE, "Idle");
    }

    @Test
    void newServerSaysForWhatItWaits() throws InterruptedException {
        CountDownLatch opening = script.hangWhenOpened();
        scaling.scalingUp =
                Optional.of(
                        new ServerScaling.ScalingUp(
                                harness.clock.instant(), "wait", Duration.ofMinutes(2)));
        harness.apply(Manifests.server("default", "git", SCALED));
        harness.look(KEY);
        await().until(() -> script.attempts() == 1);
        harness.clock.advance(Duration.ofMinutes(1));

        harness.look(KEY);

        assertCondition("Connected", Condition.Status.FALSE, "ScalingUp");
        assertCondition("Ready", Condition.Status.FALSE, "ScalingUp");
        harness.assertPhase(KEY, McpServerStatus.Phase.CONNECTING);
        scaling.scalingUp = Optional.empty();
        opening.countDown();
        awaitSleep();
    }

    @Test
    void deletionOfTheServerIsReportedOnce() throws InterruptedException {
        applyAndSettle(SCALED);

        harness.delete(KEY);
        harness.reconcileUntilSteady(KEY);

        assertThat(scaling.deleted)
                .extracting(ScaledServer::server, ScaledServer::target)
                .containsExactly(tuple(KEY, SERVER.target()));
    }

    @Test
    void serverWithoutAWorkloadIsForgotten() throws InterruptedException {
        applyAndSettle(HTTP);
        awaitSleep();

        assertThat(scaling.rested).isEmpty();
        assertThat(scaling.forgotten).contains(KEY);
    }

    @Test
    void orlojdWithoutAClusterDoesNotAcceptTheField() throws InterruptedException {
        harness.policy = ContainerPolicy.DEFAULT;
        harness.restart();

        applyAndSettle(SCALED);

        assertCondition("Accepted", Condition.Status.FALSE, "EngineUnavailable");
        assertThat(condition("Accepted").message())
                .isEqualTo(
                        "spec.scale_target_ref requires a cluster, and this orlojd uses none; start"
                            + " it in a cluster with --container-engine pod, or remove the field");
        assertThat(script.attempts()).isZero();
    }
}
