package dev.orloj.runtime.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.pod.ScaleTargetRef;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.cluster.ClusterException;
import dev.orloj.runtime.scale.ServerScaling.ScalingUp;
import dev.orloj.runtime.testkit.ManualScheduler;
import dev.orloj.runtime.workload.WorkloadException;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** All on one thread: a wait moves the clock. */
class WorkloadScalerTest {

    private static final ScaleTargetRef SEARCH =
            new ScaleTargetRef(ScaleTargetRef.Kind.DEPLOYMENT, "search");
    private static final ScaleTargetRef RENDER =
            new ScaleTargetRef(ScaleTargetRef.Kind.STATEFUL_SET, "render");
    private static final ScaledServer SERVER = server("search", SEARCH);
    private static final Duration IDLE = Duration.ofMinutes(5);

    /** The idle time and one period of renewal. */
    private static final Duration UNUSED = IDLE.plusSeconds(20);

    private final ManualScheduler clock = new ManualScheduler();
    private final FakeWorkloads cluster = new FakeWorkloads();
    private final FakeWorkloads.Connection connection = cluster.new Connection();
    private final FakeWorkloads.Connection otherConnection = cluster.new Connection();
    private final WorkloadScaler scaler = replica(connection);
    private final WorkloadScaler other = replica(otherConnection);

    private static ScaledServer server(String name, ScaleTargetRef target) {
        return new ScaledServer(new ResourceKey("default", name), target, Duration.ofSeconds(30));
    }

    private WorkloadScaler replica(ScaleApi api) {
        Scheduler stepping =
                new Scheduler() {
                    @Override
                    public Task schedule(Duration delay, Runnable task) {
                        return clock.schedule(delay, task);
                    }

                    @Override
                    public void await(Duration delay) {
                        clock.advance(delay);
                    }

                    @Override
                    public Instant instant() {
                        return clock.instant();
                    }
                };
        return new WorkloadScaler(
                api,
                stepping,
                () -> Duration.between(Instant.EPOCH, clock.instant()).toNanos(),
                Runnable::run,
                () -> {});
    }

    private BooleanSupplier accepts(ScaleTargetRef target) {
        return () -> cluster.replicas(target) > 0;
    }

    private WorkloadScaler.Hold hold(WorkloadScaler replica) {
        try {
            return replica.hold(SERVER, accepts(SEARCH));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Asks a replica to let the server rest, as often as it wants to be asked. */
    private void restFor(WorkloadScaler replica, Duration time) {
        Instant end = clock.instant().plus(time);
        Duration next = replica.rest(SERVER, IDLE).lookAgain();
        while (!clock.instant().plus(next).isAfter(end)) {
            clock.advance(next);
            next = replica.rest(SERVER, IDLE).lookAgain();
        }
        clock.advance(Duration.between(clock.instant(), end));
    }

    @Test
    void startsTheTargetForASession() {
        cluster.put(SEARCH, 0);

        hold(scaler);

        assertThat(cluster.writes).containsExactly(1);
        assertThat(cluster.leases).containsKey(SEARCH);
    }

    @Test
    void doesNotScaleATargetThatRuns() {
        cluster.put(SEARCH, 3);

        hold(scaler);

        assertThat(cluster.writes).isEmpty();
        assertThat(cluster.replicas(SEARCH)).isEqualTo(3);
    }

    @Test
    void scalesOnceForSessionsThatOpenTogether() throws InterruptedException {
        cluster.put(SEARCH, 0);
        List<WorkloadScaler.Hold> inside = new ArrayList<>();

        scaler.hold(
                SERVER,
                () -> {
                    if (inside.isEmpty()) {
                        inside.add(hold(scaler));
                        inside.add(hold(other));
                        return false;
                    }
                    return true;
                });

        assertThat(cluster.writes).containsExactly(1);
    }

    @Test
    void scalesOnceIfAnotherReplicaIsFaster() {
        cluster.put(SEARCH, 0);
        connection.beforeScale = () -> hold(other);

        hold(scaler);

        assertThat(cluster.writes).containsExactly(1);
    }

    @Test
    void saysForWhatASessionWaits() throws InterruptedException {
        cluster.put(SEARCH, 0);
        List<ResourceKey> changed = new ArrayList<>();
        scaler.onChange(changed::add);
        Instant began = clock.instant();
        List<ScalingUp> seen = new ArrayList<>();

        scaler.hold(
                SERVER,
                () -> {
                    scaler.scalingUp(SERVER.server()).ifPresent(seen::add);
                    return seen.size() == 2;
                });

        assertThat(seen)
                .containsExactly(
                        new ScalingUp(
                                began,
                                "Deployment \"search\": it was scaled from 0 to 1",
                                SERVER.startup()),
                        new ScalingUp(
                                began,
                                "Deployment \"search\": it has 1 replica, 1 ready",
                                SERVER.startup()));
        assertThat(scaler.scalingUp(SERVER.server())).isEmpty();
        assertThat(changed).hasSize(3).containsOnly(SERVER.server());
    }

    @Test
    void waitsForAReplicaThatIsReadyEvenIfAProxyAcceptsConnections() throws InterruptedException {
        cluster.putUnready(SEARCH, 1);
        Instant began = clock.instant();
        clock.schedule(Duration.ofSeconds(7), () -> cluster.put(SEARCH, 1));

        scaler.hold(SERVER, () -> true);

        assertThat(Duration.between(began, clock.instant())).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void givesUpAfterTheStartupTimeout() {
        cluster.put(SEARCH, 0);
        Instant began = clock.instant();

        assertThatThrownBy(() -> scaler.hold(SERVER, () -> false))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("within 30 s (startup_timeout)")
                .hasMessageContaining("kubectl -n tools describe deployments search");
        assertThat(Duration.between(began, clock.instant())).isEqualTo(SERVER.startup());
        assertThat(scaler.scalingUp(SERVER.server())).isEmpty();

        restFor(scaler, UNUSED.multipliedBy(2));
        assertThat(cluster.writes).containsExactly(1, 0);
    }

    @Test
    void scalesToZeroAfterTheIdleTime() {
        cluster.put(SEARCH, 2);
        hold(scaler).close();
        List<ResourceKey> changed = new ArrayList<>();
        scaler.onChange(changed::add);

        restFor(scaler, UNUSED.minusSeconds(1));
        assertThat(cluster.writes).isEmpty();

        restFor(scaler, Duration.ofSeconds(1));
        assertThat(cluster.writes).containsExactly(0);
        assertThat(scaler.rest(SERVER, IDLE).note())
                .isEqualTo("Deployment \"search\" has 0 replicas");
        assertThat(changed).containsExactly(SERVER.server());
    }

    @Test
    void scalesToZeroAfterARestartThatKnowsNoSession() {
        cluster.put(SEARCH, 1);

        restFor(scaler, UNUSED);

        assertThat(cluster.writes).containsExactly(0);
    }

    @Test
    void scalesAgainToZeroWhatAUserHasStarted() {
        cluster.put(SEARCH, 1);
        restFor(scaler, UNUSED);

        cluster.put(SEARCH, 1);
        restFor(scaler, UNUSED.multipliedBy(3));

        assertThat(cluster.writes).containsExactly(0, 0);
    }

    @Test
    void allowsForMissedRenewalsIfTheIdleTimeIsShort() {
        cluster.put(SEARCH, 1);

        scaler.rest(SERVER, Duration.ofSeconds(1));
        clock.advance(Duration.ofSeconds(59));
        scaler.rest(SERVER, Duration.ofSeconds(1));
        assertThat(cluster.writes).isEmpty();

        clock.advance(Duration.ofSeconds(1));
        scaler.rest(SERVER, Duration.ofSeconds(1));
        assertThat(cluster.writes).containsExactly(0);
    }

    @Test
    void leavesATargetThatAnotherReplicaUses() {
        cluster.put(SEARCH, 1);
        WorkloadScaler.Hold hold = hold(other);

        restFor(scaler, UNUSED.multipliedBy(10));
        assertThat(cluster.writes).isEmpty();

        hold.close();
        restFor(scaler, UNUSED.multipliedBy(2));
        assertThat(cluster.writes).containsExactly(0);
    }

    @Test
    void leavesATargetThatItUsesItselfWhileNothingIsRenewed() {
        cluster.put(SEARCH, 1);
        restFor(scaler, Duration.ofSeconds(1));
        WorkloadScaler.Hold hold = hold(scaler);
        cluster.leases.clear();
        connection.failure = new ClusterException(ClusterException.NO_ANSWER, "no answer", null);
        clock.advance(UNUSED.multipliedBy(2));
        connection.failure = null;

        hold.close();
        restFor(scaler, IDLE);

        assertThat(cluster.writes).isEmpty();
    }

    @Test
    void startsTheTargetAgainIfASessionOpenedWhileItWasScaledToZero() {
        cluster.put(SEARCH, 1);
        connection.beforeScale = () -> hold(other);

        restFor(scaler, UNUSED);

        assertThat(cluster.writes).containsExactly(0, 1);
    }

    @Test
    void startsTheTargetAgainIfTheReplicaThatScaledItToZeroDies() {
        cluster.put(SEARCH, 1);
        connection.beforeScale = () -> hold(other);
        connection.afterScale =
                () ->
                        connection.failure =
                                new ClusterException(ClusterException.NO_ANSWER, "killed", null);

        restFor(scaler, UNUSED);
        assertThat(cluster.writes).containsExactly(0);

        clock.advance(Duration.ofSeconds(20));
        assertThat(cluster.writes).containsExactly(0, 1);
    }

    @Test
    void doesNotScaleATargetThatHasChangedSinceItWasRead() {
        cluster.put(SEARCH, 1);
        connection.beforeScale = () -> cluster.put(SEARCH, 4);

        restFor(scaler, UNUSED);

        assertThat(cluster.writes).isEmpty();
    }

    @Test
    void scalesNothingWithoutTheLabel() {
        cluster.putWithoutLabel(SEARCH, 0);

        assertThatThrownBy(() -> hold(scaler))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining(
                        "kubectl -n tools label deployments search orloj.dev/scale=true");
        cluster.putWithoutLabel(SEARCH, 1);
        restFor(scaler, UNUSED.multipliedBy(3));

        assertThat(cluster.writes).isEmpty();
        assertThat(scaler.rest(SERVER, IDLE).note())
                .startsWith("Deployment \"search\" is not scaled to 0: ")
                .contains("orloj.dev/scale=true");
    }

    @Test
    void namesATargetThatDoesNotExist() {
        assertThatThrownBy(() -> scaler.hold(SERVER, () -> true))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining(
                        "Deployment \"search\" does not exist in namespace \"tools\"");
    }

    @Test
    void failsAtOnceWithoutTheRight() {
        cluster.put(SEARCH, 0);
        connection.failure = new ClusterException(403, "verbs [patch]", null);
        Instant began = clock.instant();

        assertThatThrownBy(() -> hold(scaler)).hasMessageContaining("verbs [patch]");

        assertThat(clock.instant()).isEqualTo(began);
        assertThat(scaler.rest(SERVER, IDLE).note()).contains("verbs [patch]");
    }

    @Test
    void connectsToAServerThatRunsWhileTheApiServerIsDown() {
        cluster.put(SEARCH, 1);
        connection.failure = new ClusterException(ClusterException.NO_ANSWER, "no answer", null);
        Instant began = clock.instant();

        hold(scaler);

        assertThat(clock.instant()).isEqualTo(began);
    }

    @Test
    void waitsForTheApiServer() throws InterruptedException {
        cluster.put(SEARCH, 0);
        connection.failure = new ClusterException(503, "etcd has no leader", null);
        List<ScalingUp> seen = new ArrayList<>();

        scaler.hold(
                SERVER,
                () -> {
                    scaler.scalingUp(SERVER.server()).ifPresent(seen::add);
                    if (seen.size() == 3) {
                        connection.failure = null;
                    }
                    return cluster.replicas(SEARCH) > 0;
                });

        assertThat(seen.getFirst().state()).contains("etcd has no leader");
        assertThat(cluster.writes).containsExactly(1);
    }

    @Test
    void saysThatTheApiServerIsDown() {
        connection.failure = new ClusterException(ClusterException.NO_ANSWER, "no answer", null);

        assertThatThrownBy(() -> scaler.hold(SERVER, () -> false))
                .hasMessageContaining("Deployment \"search\": no answer");
        scaler.rest(SERVER, IDLE);

        assertThat(scaler.rest(SERVER, IDLE).note()).endsWith("no answer");
    }

    @Test
    void removesTheLeaseOfAServerThatIsDeleted() {
        cluster.put(SEARCH, 1);
        hold(scaler).close();

        scaler.delete(SERVER);

        assertThat(cluster.leases).isEmpty();
        assertThat(cluster.writes).isEmpty();
    }

    @Test
    void removesTheLeaseOfATargetThatIsReplaced() throws InterruptedException {
        cluster.put(SEARCH, 1);
        cluster.put(RENDER, 1);
        hold(scaler).close();
        scaler.rest(SERVER, IDLE);
        ScaledServer changed = server("search", RENDER);
        scaler.hold(changed, () -> true).close();

        scaler.rest(changed, IDLE);
        assertThat(cluster.leases).containsOnlyKeys(RENDER);

        scaler.forget(changed.server());
        assertThat(cluster.leases).isEmpty();
    }

    @Test
    void renewsNothingAfterItIsClosed() {
        cluster.put(SEARCH, 1);
        hold(scaler);
        scaler.close();
        cluster.leases.clear();

        clock.advance(Duration.ofMinutes(1));

        assertThat(cluster.leases).isEmpty();
    }
}
